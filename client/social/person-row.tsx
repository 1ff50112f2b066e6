import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { toMember } from '#client/app/links.ts'
import { PrivateIcon } from '#client/members/private-icon.tsx'
import type { RouterOutputs } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { FollowButton } from './follow-button.tsx'

export const peopleLayout = 'grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-2'

export function PersonRow({
  person,
  knownAt,
  isOwn = false,
  action,
  children,
}: {
  person: RouterOutputs['social']['followers']['users'][number]
  knownAt: number
  isOwn?: boolean | undefined
  action?: ReactNode
  children?: ReactNode
}) {
  return (
    <li className="relative flex flex-wrap items-center gap-4 rounded-card border border-line bg-surface p-4 transition-colors hover:border-edge">
      <Avatar name={person.username} src={person.profilePicture} size="lg" />
      <div className={clsx('min-w-0 grow', action ? 'basis-32 sm:basis-20' : 'basis-20')}>
        <Link
          {...toMember(person.id)}
          className="text-label wrap-anywhere after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus"
        >
          <bdi>{person.username}</bdi>
          {person.isPrivate ? <PrivateIcon /> : null}
        </Link>
        {children}
      </div>
      {isOwn ? null : (
        <div className="relative ms-auto flex max-w-full flex-wrap items-center gap-1">
          <FollowButton
            userId={person.id}
            name={person.username}
            known={{ isFollowing: person.isFollowing, at: knownAt }}
            size="sm"
          />
          {action}
        </div>
      )}
    </li>
  )
}

export function PeopleSkeleton({ count }: { count: number }) {
  return <Skeletons count={count} each="h-[4.875rem] rounded-card" className={peopleLayout} />
}
