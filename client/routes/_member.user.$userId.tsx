import { createFileRoute, type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { DiaryLinks } from '#client/diary/profile-links.tsx'
import { FollowRequests } from '#client/privacy/follow-requests.tsx'
import { MemberMenu } from '#client/privacy/member-menu.tsx'
import { ProfileRatings } from '#client/reviews/profile-ratings.tsx'
import { ListsOfMember } from '#client/lists/lists-of.tsx'
import { ProfileScreen } from '#client/social/profile-screen.tsx'
import { ProfileNotFound } from '#client/social/profile-not-found.tsx'
import { ProfileSkeleton } from '#client/social/profile-skeleton.tsx'
import { errorText } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'

export const Route = createFileRoute('/_member/user/$userId')({
  loader: async ({ context, params }) =>
    (await import('./-profile-data.ts')).loadProfile(context, params.userId),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? 'Profile' }] }),
  component: UserPage,
  pendingComponent: ProfileSkeleton,
  notFoundComponent: () => <ProfileNotFound />,
  errorComponent: UserProblem,
})

function UserPage() {
  const userId = Number(Route.useParams().userId)
  return (
    <ProfileScreen
      key={userId}
      userId={userId}
      Menu={MemberMenu}
      requests={<FollowRequests userId={userId} />}
      links={<DiaryLinks userId={userId} />}
      Ratings={ProfileRatings}
      lists={<ListsOfMember userId={userId} />}
    />
  )
}

function UserProblem({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const tryAgain = () => {
    reset()
    void router.invalidate()
  }
  return (
    <ProfileNotFound action={<Button onClick={tryAgain}>Try again</Button>}>
      {errorText(error)}
    </ProfileNotFound>
  )
}
