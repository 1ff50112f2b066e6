import { ContinueStrip } from '#client/diary/continue-strip.tsx'
import { Activity } from '#client/feed/activity.tsx'
import { FriendsFavourites } from '#client/feed/friends-favourites.tsx'
import { SuggestedPeople } from '#client/social/suggested-people.tsx'
import { FirstSteps } from './-first-run/first-steps.tsx'

/** What Home shows to members, above and below the popular titles. */
export function MemberHome({ part }: { part: 'above' | 'below' }) {
  if (part === 'below') return <FriendsFavourites />
  return (
    <>
      <FirstSteps />
      <ContinueStrip />
      <Activity>
        <SuggestedPeople className="mt-10" />
      </Activity>
    </>
  )
}
