import { createFileRoute } from '@tanstack/react-router'
import { PeopleScreen, PeopleScreenPending } from '#client/social/people-screen.tsx'
import { ProfileNotFound } from '#client/social/profile-not-found.tsx'
import { loadPeople, readPeopleSearch } from './-profile-data.ts'

export const Route = createFileRoute('/_member/user/$userId_/following')({
  validateSearch: readPeopleSearch,
  loader: ({ context, params, location }) =>
    loadPeople(context, 'following', params.userId, readPeopleSearch(location.search).page ?? 1),
  head: ({ loaderData }) => ({ meta: [{ title: `Following · ${loaderData?.name ?? 'Profile'}` }] }),
  component: FollowingPage,
  pendingComponent: () => <PeopleScreenPending direction="following" />,
  notFoundComponent: () => <ProfileNotFound />,
})

function FollowingPage() {
  const { page = 1 } = Route.useSearch()
  return <PeopleScreen direction="following" userId={Number(Route.useParams().userId)} page={page} />
}
