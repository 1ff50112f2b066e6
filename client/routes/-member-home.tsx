import { ContinueStrip } from '#client/diary/continue-strip.tsx'
import { Activity } from '#client/feed/activity.tsx'
import { FriendsFavourites } from '#client/feed/friends-favourites.tsx'
import { UpNextStrip, useUpNext } from '#client/progress/up-next-strip.tsx'
import { SuggestedPeople } from '#client/social/suggested-people.tsx'
import { useSession } from '#client/app/session.ts'
import { hasFirstSteps } from './-first-run/closed.ts'
import { FirstSteps } from './-first-run/first-steps.tsx'

export function MemberHome({ part }: { part: 'above' | 'below' }) {
  const user = useSession()?.user
  const upNext = useUpNext()
  if (part === 'below') return <FriendsFavourites />
  // The first steps suggest people, and explain what is empty.
  const isNew = user !== undefined && hasFirstSteps(user)
  return (
    <>
      <FirstSteps />
      <UpNextStrip />
      <ContinueStrip hidden={upNext.map(({ title }) => title.id)} />
      <Activity hidesEmpty={isNew}>
        <SuggestedPeople className="mt-10" />
      </Activity>
    </>
  )
}
