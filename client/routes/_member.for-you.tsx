import { createFileRoute } from '@tanstack/react-router'
import { ForYouScreen } from '#client/feed/for-you/for-you-screen.tsx'
import { type ForYouParams, readForYouParams } from '#client/feed/for-you/params.ts'
import { kindRouter } from '#client/app/kinds.ts'
import { SuggestedPeople } from '#client/social/suggested-people.tsx'
import { allKinds } from '#shared/domain/kinds.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/for-you')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): ForYouParams => search,
  loader: ({ context: { trpc } }) => {
    for (const definition of allKinds) void kindRouter(trpc, definition).forYou.prefetch({})
  },
  head: () => ({ meta: [{ title: t`For You` }] }),
  component: () => <ForYouScreen {...readForYouParams(Route.useSearch())} people={<SuggestedPeople />} />,
})
