import { createFileRoute } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ensurePopular } from '#client/catalogue/home/popular-data.ts'
import { localSearch, readSearchParams } from '#client/catalogue/search/params.ts'
import { SearchScreen } from '#client/catalogue/search/search-screen.tsx'
import { useSession } from '#client/app/session.ts'
import { tabNames } from '#shared/domain/kinds.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/search')({
  validateSearch: readSearchParams,
  loaderDeps: ({ search: { q } }) => ({ q }),
  loader: ({ context: { trpc }, deps: { q } }) => {
    if (q === undefined) return import.meta.env.SSR ? ensurePopular(trpc) : undefined
    // Only the server waits: external sources may be slow.
    const results = Promise.all([
      ...tabNames.map((tab) => trpc.sources.search.prefetch({ q, tab })),
      trpc.items.search.prefetch(localSearch(q)),
      trpc.social.searchUsers.prefetch({ q }),
    ]).then(() => {})
    return import.meta.env.SSR ? results : undefined
  },
  head: ({ match }) => ({
    meta: [{ title: match.search.q === undefined ? t`Search` : t`“${match.search.q}” – Search` }],
  }),
  component: SearchRoute,
})

const { Component: SuggestedPeople, load } = lazyComponent(
  async () => (await import('#client/social/suggested-people.tsx')).SuggestedPeople,
)

const { Component: FollowButton, load: loadFollowButton } = lazyComponent(
  async () => (await import('#client/social/follow-button.tsx')).FollowButton,
)

type Person = { id: number; username: string }

const follow = (person: Person) => <Follow {...person} />

function Follow({ id, username }: Person) {
  const session = useSession()
  return session === null || session.user.id === id ? null : <FollowButton userId={id} name={username} />
}

function SearchRoute() {
  const isMember = useSession() !== null
  useEffect(() => {
    if (!isMember) return
    load()
    loadFollowButton()
  }, [isMember])
  return <SearchScreen {...Route.useSearch()} people={<SuggestedPeople />} follow={follow} />
}
