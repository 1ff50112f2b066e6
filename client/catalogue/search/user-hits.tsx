import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { toMember } from '#client/app/links.ts'
import { PrivateIcon } from '#client/members/private-icon.tsx'
import type { RouterOutputs } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { ButtonLink } from '#client/ui/button.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'

const layout = 'grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2 lg:grid-cols-3'
const row =
  'flex h-full flex-wrap items-center gap-x-3.5 gap-y-3 rounded-card border border-line bg-surface p-3.5'

type Person = RouterOutputs['social']['searchUsers']['results'][number]
export type RenderFollow = (person: Person) => ReactNode

export function UserHits({ people, follow }: { people: Person[]; follow: RenderFollow }) {
  return (
    <ul aria-label="Users" className={layout}>
      {people.map((person) => (
        <li key={person.id} className={row}>
          <Avatar name={person.username} src={person.profilePicture} size="lg" />
          <h3 className="min-w-0 grow basis-32 text-label wrap-anywhere">
            <bdi>{person.username}</bdi>
            {person.isPrivate ? <PrivateIcon /> : null}
          </h3>
          <div className="flex flex-wrap gap-3">
            {follow(person)}
            <ButtonLink render={<Link {...toMember(person.id)} />}>
              View profile<VisuallyHidden> of {person.username}</VisuallyHidden>
            </ButtonLink>
          </div>
        </li>
      ))}
    </ul>
  )
}

export function UserHitsSkeleton() {
  return (
    <div role="status" aria-label="Searching…" className={`animate-appear ${layout}`}>
      {[1, 2, 3, 4, 5, 6].map((key) => (
        <div key={key} className={row}>
          <Skeleton className="size-11 shrink-0 rounded-full" />
          <Skeleton className="h-4 w-28 rounded-full" />
          <Skeleton className="ms-auto h-11 w-28 rounded-full" />
        </div>
      ))}
    </div>
  )
}
