import { createFileRoute } from '@tanstack/react-router'
import { PeopleScreen, PeopleScreenPending } from '#client/social/people-screen.tsx'
import { ProfileNotFound } from '#client/social/profile-not-found.tsx'
import { loadPeople, readPeopleSearch } from './-profile-data.ts'

export const Route = createFileRoute('/_member/user/$userId_/followers')({
  validateSearch: readPeopleSearch,
  loader: ({ context, params, location }) =>
    loadPeople(context, 'followers', params.userId, readPeopleSearch(location.search).page ?? 1),
  head: ({ loaderData }) => ({ meta: [{ title: `Followers · ${loaderData?.name ?? 'Profile'}` }] }),
  component: FollowersPage,
  pendingComponent: () => <PeopleScreenPending direction="followers" />,
  notFoundComponent: () => <ProfileNotFound />,
})

function FollowersPage() {
  const { page = 1 } = Route.useSearch()
  return <PeopleScreen direction="followers" userId={Number(Route.useParams().userId)} page={page} />
}
