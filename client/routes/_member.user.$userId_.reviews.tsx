import { createFileRoute } from '@tanstack/react-router'
import { type LibraryParams, readLibraryParams } from '#client/reviews/library-params.ts'
import { LibraryScreen, LibraryScreenPending } from '#client/reviews/library-screen.tsx'
import { ProfileNotFound } from '#client/social/profile-not-found.tsx'
import { loadName } from './-profile-data.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/user/$userId_/reviews')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): LibraryParams => search,
  loader: ({ context, params }) =>
    loadName(context, params.userId, ({ reviews }, id) => void reviews.histogramsOfUser.prefetch({ id })),
  head: ({ loaderData }) => ({
    meta: [{ title: t`Ratings · ${loaderData?.name ?? t`Profile`}` }],
  }),
  component: LibraryPage,
  pendingComponent: LibraryScreenPending,
  notFoundComponent: () => <ProfileNotFound />,
})

function LibraryPage() {
  const userId = Number(Route.useParams().userId)
  const { name } = Route.useLoaderData()
  return (
    <LibraryScreen key={userId} userId={userId} name={name} params={readLibraryParams(Route.useSearch())} />
  )
}
