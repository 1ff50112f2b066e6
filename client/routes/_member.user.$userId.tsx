import { createFileRoute, type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { DiaryLinks } from '#client/diary/profile-links.tsx'
import { FollowRequests } from '#client/privacy/follow-requests.tsx'
import { useSession } from '#client/app/session.ts'
import { useSite } from '#client/app/site.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { ProfileRatings } from '#client/reviews/profile-ratings.tsx'
import { ListsOfMember } from '#client/lists/lists-of.tsx'
import { ProfileScreen } from '#client/social/profile-screen.tsx'
import { ProfileNotFound } from '#client/social/profile-not-found.tsx'
import { ProfileSkeleton } from '#client/social/profile-skeleton.tsx'
import { errorText } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { loadProfile } from './-profile-data.ts'
import { t } from '#shared/domain/message.ts'

const { AutoLoaded: ProfilePreview } = lazyComponent(
  async () => (await import('#client/privacy/profile-preview.tsx')).ProfilePreview,
)

export const Route = createFileRoute('/_member/user/$userId')({
  validateSearch: ({ as }): { as?: 'visitor' | 'follower' } =>
    as === 'visitor' || as === 'follower' ? { as } : {},
  loader: ({ context, params }) => loadProfile(context, params.userId),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? t`Profile` }] }),
  component: UserPage,
  pendingComponent: ProfileSkeleton,
  notFoundComponent: () => <ProfileNotFound />,
  errorComponent: UserProblem,
})

function UserPage() {
  const userId = Number(Route.useParams().userId)
  const isOwn = useSession()?.user.id === userId
  const { visitorsMayRead } = useSite()
  const { as } = Route.useSearch()
  const isPreview = isOwn && (as === 'follower' || (as === 'visitor' && visitorsMayRead))
  const profile = (
    <ProfileScreen
      key={userId}
      userId={userId}
      requests={<FollowRequests userId={userId} />}
      links={<DiaryLinks userId={userId} />}
      Ratings={ProfileRatings}
      lists={<ListsOfMember userId={userId} />}
    />
  )
  if (!isPreview) return profile
  return (
    <ProfilePreview key={as} userId={userId} as={as}>
      {profile}
    </ProfilePreview>
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
