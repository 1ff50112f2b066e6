import { createFileRoute } from '@tanstack/react-router'
import { PeopleScreen, PeopleScreenPending } from '#client/social/people-screen.tsx'
import { ProfileNotFound } from '#client/social/profile-not-found.tsx'
import { type PeopleSearch, readPeopleSearch } from '#client/social/people-params.ts'
import { loadPeople } from './-profile-data.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/user/$userId_/following')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): PeopleSearch => search,
  loader: ({ context, params, location }) => loadPeople(context, 'following', params.userId, location.search),
  head: ({ loaderData }) => ({ meta: [{ title: t`Following · ${loaderData?.name ?? t`Profile`}` }] }),
  component: FollowingPage,
  pendingComponent: () => <PeopleScreenPending direction="following" />,
  notFoundComponent: () => <ProfileNotFound />,
})

function FollowingPage() {
  const { page = 1 } = readPeopleSearch(Route.useSearch())
  return <PeopleScreen direction="following" userId={Number(Route.useParams().userId)} page={page} />
}
