import { createFileRoute } from '@tanstack/react-router'
import { ForYouScreen } from '#client/feed/for-you/for-you-screen.tsx'
import { forYouInput } from '#client/feed/for-you/hooks.ts'
import { readForYouParams } from '#client/feed/for-you/params.ts'
import { kindRouter } from '#client/kinds.ts'
import { SuggestedPeople } from '#client/social/suggested-people.tsx'
import { allKinds } from '#shared/media.ts'

export const Route = createFileRoute('/_member/for-you')({
  validateSearch: readForYouParams,
  loaderDeps: ({ search: { by } }) => ({ by }),
  loader: ({ context: { trpc }, deps: { by } }) => {
    for (const facts of allKinds) void kindRouter(trpc, facts).forYou.prefetch(forYouInput(by))
  },
  head: () => ({ meta: [{ title: 'For You' }] }),
  component: ForYouRoute,
})

function ForYouRoute() {
  return <ForYouScreen {...Route.useSearch()} people={<SuggestedPeople />} />
}
