import { Link, useNavigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { inPlace } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { errorText } from '#client/app/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Tabs } from '#client/ui/tabs.tsx'
import { tabs } from '#shared/domain/tabs.ts'
import { messages } from '#shared/texts/messages.ts'
import { TitleRowsSkeleton } from '../title/title-row.tsx'
import { TitleHits } from './title-hits.tsx'
import { type SearchState, useSearches } from './hooks.ts'
import { type SearchParams, searchTabs, type SearchTab } from './params.ts'
import { type RenderFollow, UserHits, UserHitsSkeleton } from './user-hits.tsx'
import { SearchPrompt } from './search-prompt.tsx'
import { plural, t } from '#shared/domain/message.ts'

const words = { ...tabs, users: { label: t`Users`, empty: messages.noUsers } }

const longQuery = 40

type Parts = {
  people: ReactNode
  follow: RenderFollow
}

export function SearchScreen({ q = '', tab, ...parts }: SearchParams & Parts) {
  return (
    <div className="page py-8 sm:py-12">
      {q === '' ? (
        <SearchPrompt>{parts.people}</SearchPrompt>
      ) : (
        <Results key={q} q={q} chosen={tab} {...parts} />
      )}
    </div>
  )
}

function Results({ q, chosen, people, follow }: { q: string; chosen: SearchTab | undefined } & Parts) {
  const navigate = useNavigate()
  const searches = useSearches(q)
  // The first tab with results or, until they are known, the first that may have some.
  const tab = chosen ?? searchTabs.find((each) => searches[each].count !== 0) ?? 'screen'
  const { label } = words[tab]
  const state = searches[tab]
  return (
    <>
      <h1 className={clsx('wrap-anywhere', q.length > longQuery ? 'text-h2' : 'text-h1')}>
        <span className="block pb-2 font-sans text-label font-semibold tracking-normal text-muted">
          Results for
        </span>
        “<bdi>{q}</bdi>”
      </h1>
      <p role="status" className="sr-only">
        {state.count === undefined
          ? state.error
            ? ''
            : t`Searching…`
          : plural(state.count, { one: `# result in ${label}`, other: `# results in ${label}` })}
      </p>
      <Tabs
        label="Results"
        className="mt-8 max-sm:[&_[role=tablist]]:gap-3.5"
        value={tab}
        onChange={(next) =>
          void navigate({
            to: '/search',
            search: { q, tab: next },
            ...inPlace,
          })
        }
        items={searchTabs.map((value) => ({
          value,
          label: words[value].label,
          count: searches[value].count,
        }))}
      >
        <h2 className="sr-only">{label}</h2>
        {state.count === undefined ? (
          <Unanswered state={state}>
            {tab === 'users' ? <UserHitsSkeleton /> : <TitleRowsSkeleton count={6} tall label="Searching…" />}
          </Unanswered>
        ) : state.count === 0 ? (
          <>
            <Nothing q={q} tab={tab} searches={searches} />
            {tab === 'users' ? <div className="mt-10">{people}</div> : null}
          </>
        ) : tab === 'users' ? (
          <UserHits people={searches.users.people ?? []} follow={follow} />
        ) : (
          <TitleHits hits={searches[tab].hits ?? []} tab={tab} />
        )}
        {state.source === 'starter' ? <StarterNote /> : null}
      </Tabs>
    </>
  )
}

function Nothing({
  q,
  tab,
  searches,
}: {
  q: string
  tab: SearchTab
  searches: ReturnType<typeof useSearches>
}) {
  const others = searchTabs.filter((other) => (searches[other].count ?? 0) > 0)
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title={words[tab].empty(q)}
      action={
        others.length === 0 ? (
          <ButtonLink render={<Link to="/create-item" />}>Add it yourself</ButtonLink>
        ) : (
          others.map((other) => (
            <ButtonLink key={other} render={<Link to="/search" search={{ q, tab: other }} {...inPlace} />}>
              {plural(searches[other].count ?? 0, {
                one: `# result in ${words[other].label}`,
                other: `# results in ${words[other].label}`,
              })}
            </ButtonLink>
          ))
        )
      }
    >
      {others.length === 0
        ? t`A shorter or differently spelled search may find it.`
        : t`Other tabs have results:`}
    </EmptyState>
  )
}

function Unanswered({ state, children }: { state: SearchState; children: ReactNode }) {
  if (!state.error || state.isFetching) return children
  return (
    <LoadError
      title={messages.searchFailed}
      error={errorText(state.error) === messages.searchFailed ? undefined : state.error}
      onRetry={state.retry}
    />
  )
}

function StarterNote() {
  return <p className="mt-6 text-meta text-muted">Only titles already on Medley are found.</p>
}
