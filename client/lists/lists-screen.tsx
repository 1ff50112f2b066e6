import { Link, useNavigate } from '@tanstack/react-router'
import { ListOrdered, Plus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { inPlace, toList } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useLogInLink } from '#client/app/log-in.tsx'
import { SearchField } from '#client/app/search-field.tsx'
import { useSession } from '#client/app/session.ts'
import { nextPage, trpc } from '#client/app/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { Tabs } from '#client/ui/tabs.tsx'
import { type ListCard, useUndeleted } from './hooks.ts'
import { ListCards, ListCardsSkeleton } from './list-card.tsx'
import { LoadMore } from './load-more.tsx'
import { type ListsParams, type ListTab, listTabs, publicTabs } from './params.ts'
import { searchInput } from './queries.ts'
import { t } from '#shared/domain/message.ts'

const newList = lazyComponent(async () => (await import('./list-dialog.tsx')).ListDialog)

const labels: Record<ListTab, string> = {
  popular: t`Popular`,
  new: t`New`,
  mine: t`Your lists`,
  followed: t`Followed`,
}

export function ListsScreen(params: ListsParams) {
  const { tag } = params
  const navigate = useNavigate()
  const isMember = useSession() !== null
  const tabs = isMember ? listTabs : publicTabs
  const tab = tabs.find((one) => one === params.tab) ?? 'popular'
  const [isCreating, setCreating] = useState(false)
  const logIn = useLogInLink()
  const change = (search: ListsParams) =>
    void navigate({
      to: '/lists',
      search: { ...params, ...search },
      ...inPlace,
    })
  return (
    <div className="page min-h-svh py-8 sm:py-12">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <h1 className="text-h1">Lists</h1>
        {isMember ? (
          <Button
            icon={<Plus aria-hidden />}
            aria-haspopup="dialog"
            {...newList.opens(() => setCreating(true))}
          >
            New list
          </Button>
        ) : (
          <ButtonLink icon={<Plus aria-hidden />} render={logIn}>
            New list
          </ButtonLink>
        )}
      </div>
      <p className="mt-3 max-w-[40em] text-lead text-muted">
        {tag === undefined ? (
          t`Films, shows, books and games in an order that means something.`
        ) : (
          <>
            Lists with the tag{' '}
            <b className="text-ink">
              <bdi>{tag}</bdi>
            </b>
            .{' '}
            <Link to="/lists" search={{ tab: params.tab }} className="link">
              All lists
            </Link>
          </>
        )}
      </p>
      <Invitations />
      <Tabs
        label="Lists"
        className="mt-8"
        value={tab}
        items={tabs.map((value) => ({ value, label: labels[value] }))}
        onChange={(value) => change({ tab: value === 'popular' ? undefined : value })}
      >
        {tab === 'mine' ? (
          <OwnLists opens={newList.opens(() => setCreating(true))} />
        ) : tab === 'followed' ? (
          <FollowedLists />
        ) : (
          <PublicLists params={params} onSearch={(q) => change({ q })} />
        )}
      </Tabs>
      {isMember ? (
        <newList.Component
          open={isCreating}
          onOpenChange={setCreating}
          onDone={({ id }) => {
            setCreating(false)
            void navigate(toList(id))
          }}
        />
      ) : null}
    </div>
  )
}

function Invitations() {
  const isMember = useSession() !== null
  const { data } = trpc.lists.invitations.useQuery({}, { enabled: isMember })
  if (!data || data.lists.length === 0) return null
  return (
    <ul aria-label="Invitations" className="mt-6 grid gap-2">
      {data.lists.map(({ id, title, owner }) => (
        <li key={id} className="card px-4 py-3">
          <bdi>{owner.username}</bdi> invites you to edit{' '}
          <Link {...toList(id)} className="link">
            {title}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function PublicLists({
  params,
  onSearch,
}: {
  params: ListsParams
  onSearch: (q: string | undefined) => void
}) {
  const lists = trpc.lists.search.useInfiniteQuery(searchInput(params), {
    ...nextPage,
    placeholderData: (before) => before,
  })
  const isFiltered = params.q !== undefined || params.tag !== undefined
  return (
    <>
      <div className="mb-6 flex max-w-md">
        <SearchField
          label="Find lists"
          placeholder="Find lists by title or tag…"
          q={params.q}
          onChange={onSearch}
        />
      </div>
      <Lists lists={lists} empty={isFiltered ? t`No such lists.` : t`No lists yet.`} />
    </>
  )
}

function OwnLists({ opens }: { opens: ReturnType<typeof newList.opens> }) {
  const lists = trpc.lists.mine.useInfiniteQuery({}, nextPage)
  return (
    <Lists
      lists={lists}
      empty="You have no list yet."
      action={
        <Button variant="primary" {...opens}>
          Make one
        </Button>
      }
    >
      Press L on a poster, or “Add to list…” in its menu, to put a title in a list.
    </Lists>
  )
}

function FollowedLists() {
  const lists = trpc.lists.followed.useInfiniteQuery({}, nextPage)
  return (
    <Lists lists={lists} empty="You follow no list yet.">
      Press Follow on the page of a list to find it here.
    </Lists>
  )
}

type Pages = ComponentProps<typeof LoadMore>['query'] &
  Pick<ReturnType<typeof trpc.lists.search.useInfiniteQuery>, 'isPending' | 'refetch'> & {
    data: { pages: { lists: ListCard[] }[] } | undefined
  }

function Lists({
  lists,
  empty,
  action,
  children,
}: {
  lists: Pages
  empty: string
  action?: ReactNode
  children?: string
}) {
  const all = useUndeleted(lists.data?.pages.flatMap((page) => page.lists))
  if (lists.isPending) return <ListCardsSkeleton />
  if (lists.data === undefined)
    return <LoadError title="The lists did not load" error={lists.error} onRetry={lists.refetch} />
  if (all.length === 0)
    return (
      <EmptyState icon={<ListOrdered aria-hidden />} title={empty} action={action}>
        {children}
      </EmptyState>
    )
  return (
    <>
      <ListCards label="Lists" lists={all} />
      <LoadMore query={lists} />
    </>
  )
}
