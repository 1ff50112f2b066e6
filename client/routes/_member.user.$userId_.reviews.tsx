import { createFileRoute } from '@tanstack/react-router'
import { readLibraryParams } from '#client/reviews/library-params.ts'
import { LibraryScreen, LibraryScreenPending } from '#client/reviews/library-screen.tsx'
import { ProfileNotFound } from '#client/social/profile-not-found.tsx'
import { loadName } from './-profile-data.ts'

export const Route = createFileRoute('/_member/user/$userId_/reviews')({
  validateSearch: readLibraryParams,
  loader: ({ context, params }) => loadName(context, params.userId),
  head: ({ loaderData }) => ({
    meta: [{ title: `Ratings and reviews · ${loaderData?.name ?? 'Profile'}` }],
  }),
  component: LibraryPage,
  pendingComponent: LibraryScreenPending,
  notFoundComponent: () => <ProfileNotFound />,
})

function LibraryPage() {
  const userId = Number(Route.useParams().userId)
  const { name } = Route.useLoaderData()
  return <LibraryScreen key={userId} userId={userId} name={name} params={Route.useSearch()} />
}
