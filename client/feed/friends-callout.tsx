import { Link } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { ButtonLink } from '#client/ui/button.tsx'

export function FriendsCallout() {
  return (
    <section className="for-visitors card flex flex-wrap items-center justify-between gap-x-8 gap-y-5 sm:p-8">
      <div className="flex items-start gap-4">
        <UsersRound aria-hidden className="mt-1 size-7 shrink-0 text-accent" />
        <div>
          <h2 className="text-h2">See what your friends are buzzing about</h2>
          <p className="mt-1.5 max-w-[34.6em] text-muted">
            Follow people whose taste you trust: their favourites and ratings gather here, and in your own
            feed.
          </p>
        </div>
      </div>
      <ButtonLink variant="primary" render={<Link to="/login" />}>
        Sign in
      </ButtonLink>
    </section>
  )
}
