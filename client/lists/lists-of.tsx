import { Link } from '@tanstack/react-router'
import { useSession } from '#client/app/session.ts'
import { nextPage, trpc } from '#client/app/trpc.ts'
import { Section, SectionLink } from '#client/ui/section.tsx'
import { type ListCard, useUndeleted } from './hooks.ts'
import { ListCards } from './list-card.tsx'
import { LoadMore } from './load-more.tsx'

const shown = 3

export function ListsOfTitle({ id, className }: { id: number; className?: string | undefined }) {
  const query = trpc.lists.ofTitle.useInfiniteQuery({ id, limit: shown }, nextPage)
  const lists = useLoaded(query.data)
  if (lists.length === 0) return null
  return (
    <Section title="In lists" className={className}>
      <ListCards label="Lists with this title" lists={lists} />
      <LoadMore query={query} />
    </Section>
  )
}

export function ListsOfMember({ userId }: { userId: number }) {
  const isOwn = useSession()?.user.id === userId
  const query = trpc.lists.ofUser.useInfiniteQuery({ id: userId, limit: 2 * shown }, nextPage)
  const lists = useLoaded(query.data)
  if (lists.length === 0) return null
  return (
    <Section
      title="Lists"
      className="-m-4 p-4 lazy-paint [--lazy-height:38rem] lg:[--lazy-height:22rem]"
      action={
        isOwn ? (
          <SectionLink render={<Link to="/lists" search={{ tab: 'mine' }} />}>All your lists</SectionLink>
        ) : undefined
      }
    >
      <ListCards label="Lists" lists={lists} />
      <LoadMore query={query} />
    </Section>
  )
}

const useLoaded = (data: { pages: { lists: ListCard[] }[] } | undefined) =>
  useUndeleted(data?.pages.flatMap((page) => page.lists))
