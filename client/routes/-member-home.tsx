import { FriendsFavourites } from '#client/feed/friends-favourites.tsx'
import { Activity } from '#client/feed/activity.tsx'
import { FirstSteps } from './-first-run/first-steps.tsx'
import { SuggestedPeople } from '#client/social/suggested-people.tsx'

/** What Home shows to members, above and below the popular titles. */
export function MemberHome({ part }: { part: 'above' | 'below' }) {
  if (part === 'above') return <FirstSteps className="mt-6" />
  return (
    <>
      <Activity>
        <SuggestedPeople className="mt-10" />
      </Activity>
      <FriendsFavourites />
    </>
  )
}
