import { clsx } from 'clsx'
import { useEffect } from 'react'
import { useLogInLink } from '#client/app/log-in.tsx'
import { getSession, useSession } from '#client/app/session.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { Section } from '#client/ui/section.tsx'
import { useMyReview } from './hooks.ts'
import { TakeSkeleton } from './reviews-skeleton.tsx'
import { hasPage, type NamedTitle } from './title.ts'
import { t } from '#shared/domain/message.ts'

const {
  Component: MembersTake,
  load,
  useIsLoaded,
} = lazyComponent(async () => (await import('./share-your-take.tsx')).MembersTake, { isInPage: true })
// Every member's page needs it, so it loads with the other code.
if (!import.meta.env.SSR && getSession() !== null) load()

export function ShareYourTake({
  title,
  heading = t`Share Your Take`,
  className,
}: {
  title: NamedTitle
  heading?: string
  className?: string
}) {
  const user = useSession()?.user
  const isMember = user !== undefined
  const isLoaded = useIsLoaded()
  // In one batch with the page’s other queries, while the component loads.
  useMyReview(title)
  useEffect(() => {
    if (isMember) load()
  }, [isMember])
  return (
    <Section id={hasPage(title) ? 'take' : undefined} title={heading} className={clsx('card', className)}>
      {user === undefined ? (
        <VisitorsTake name={title.name} />
      ) : isLoaded ? (
        <MembersTake key={user.id} title={title} user={user} />
      ) : (
        <TakeSkeleton />
      )}
    </Section>
  )
}

function VisitorsTake({ name }: { name: string }) {
  const link = useLogInLink()
  return (
    <div className="for-visitors flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <p className="max-w-[40em] min-w-0 text-muted">
        Log in to rate “{name}” and to tell the others what stayed with you.
      </p>
      <ButtonLink variant="primary" render={link}>
        Login
      </ButtonLink>
    </div>
  )
}
