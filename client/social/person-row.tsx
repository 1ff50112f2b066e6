import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Lock } from 'lucide-react'
import { toMember } from '#client/links.ts'
import type { RouterOutputs } from '#client/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { FollowButton } from './follow-button.tsx'

export const peopleLayout = 'grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2 lg:grid-cols-3'

/**
 * A member in a list: a link to the profile, and Follow or Unfollow beside it. `knownAt` is when the list was loaded, in
 * milliseconds. `children` follow the name.
 */
export function PersonRow({
  person,
  knownAt,
  isOwn = false,
  children,
}: {
  person: RouterOutputs['social']['followers']['users'][number]
  knownAt: number
  isOwn?: boolean | undefined
  children?: ReactNode
}) {
  return (
    <li className="relative flex flex-wrap items-center gap-4 rounded-card border border-line bg-surface p-4 transition-colors hover:border-edge">
      <Avatar name={person.username} src={person.profilePicture} size="lg" />
      <div className="min-w-0 grow basis-20">
        <Link
          {...toMember(person.id)}
          className="text-label wrap-break-word after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus"
        >
          {person.username}
          {person.isPrivate ? <PrivateMark /> : null}
        </Link>
        {children}
      </div>
      {isOwn ? null : (
        <div className="relative ml-auto shrink-0">
          <FollowButton
            userId={person.id}
            name={person.username}
            known={{ isFollowing: person.isFollowing, at: knownAt }}
            size="sm"
          />
        </div>
      )}
    </li>
  )
}

export function PeopleSkeleton({ count }: { count: number }) {
  return <Skeletons count={count} each="h-[4.875rem] rounded-card" className={peopleLayout} />
}

/** The lock beside the name of a private member. */
export function PrivateMark() {
  return (
    <span title="Private" className="ml-1.5 inline-flex align-middle text-muted [&_svg]:size-[0.8em]">
      <Lock aria-hidden />
      <VisuallyHidden>Private</VisuallyHidden>
    </span>
  )
}
