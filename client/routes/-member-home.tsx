import { FriendsFavourites } from '#client/feed/friends-favourites.tsx'
import { NetworkNews } from '#client/feed/network-news.tsx'
import { SuggestedPeople } from '#client/social/suggested-people.tsx'

/** What Home shows to members below the popular titles. */
export function MemberHome() {
  return (
    <>
      <NetworkNews>
        <SuggestedPeople className="mt-10" />
      </NetworkNews>
      <FriendsFavourites />
    </>
  )
}
