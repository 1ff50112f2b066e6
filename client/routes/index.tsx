import { createFileRoute } from '@tanstack/react-router'
import { HomeHero } from '#client/catalogue/home/hero.tsx'
import { ensurePopular } from '#client/catalogue/home/popular-data.ts'
import { PopularThisWeek } from '#client/catalogue/home/popular.tsx'
import { homeTab } from '#client/catalogue/home/tab.ts'
import { FriendsCallout, FriendsFavourites } from '#client/feed/friends-favourites.tsx'
import { useSession } from '#client/session.ts'

export const Route = createFileRoute('/')({
  validateSearch: homeTab,
  // A browser does not wait: the page has its words at once, and shows the places of what is on its way.
  loader: ({ context }) => {
    const asked = ensurePopular(context.trpc)
    return import.meta.env.SSR ? asked : undefined
  },
  component: HomePage,
})

function HomePage() {
  const { tab = 'all' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const isMember = useSession() !== null
  const stay = { replace: true, resetScroll: false, viewTransition: false }
  return (
    <>
      <HomeHero isMember={isMember} />
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-16 pt-10 sm:pt-14">
        <PopularThisWeek
          tab={tab}
          onTab={(next) => void navigate({ search: next === 'all' ? {} : { tab: next }, ...stay })}
        />
        {isMember ? <FriendsFavourites /> : <FriendsCallout />}
      </div>
    </>
  )
}
