import { createFileRoute } from '@tanstack/react-router'
import { PeopleScreen, PeopleScreenPending } from '#client/social/people-screen.tsx'
import { ProfileNotFound } from '#client/social/profile-not-found.tsx'
import { type PeopleSearch, readPeopleSearch } from '#client/social/people-params.ts'
import { loadPeople } from './-profile-data.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/user/$userId_/followers')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): PeopleSearch => search,
  loader: ({ context, params, location }) => loadPeople(context, 'followers', params.userId, location.search),
  head: ({ loaderData }) => ({ meta: [{ title: t`Followers · ${loaderData?.name ?? t`Profile`}` }] }),
  component: FollowersPage,
  pendingComponent: () => <PeopleScreenPending direction="followers" />,
  notFoundComponent: () => <ProfileNotFound />,
})

function FollowersPage() {
  const { page = 1 } = readPeopleSearch(Route.useSearch())
  return <PeopleScreen direction="followers" userId={Number(Route.useParams().userId)} page={page} />
}
