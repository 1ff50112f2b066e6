import { FriendsFavourites } from '#client/feed/friends-favourites.tsx'
import { Activity } from '#client/feed/activity.tsx'
import { SuggestedPeople } from '#client/social/suggested-people.tsx'

/** What Home shows to members below the popular titles. */
export function MemberHome() {
  return (
    <>
      <Activity>
        <SuggestedPeople className="mt-10" />
      </Activity>
      <FriendsFavourites />
    </>
  )
}
