import { createFileRoute } from '@tanstack/react-router'
import { useEffect } from 'react'
import { HomeHero } from '#client/catalogue/home/home-hero.tsx'
import { ensurePopular } from '#client/catalogue/home/popular-data.ts'
import { PopularThisWeek } from '#client/catalogue/home/popular-this-week.tsx'
import { readHomeParams } from '#client/catalogue/home/params.ts'
import { FriendsCallout } from '#client/feed/friends-callout.tsx'
import { useSession } from '#client/session.ts'
import { HydratedLater } from '#client/ui/hydration.ts'
import { lazyComponent } from '#client/ui/lazy.ts'

const { Component: MemberHome, load } = lazyComponent(
  async () => (await import('./-member-home.tsx')).MemberHome,
)

export const Route = createFileRoute('/')({
  validateSearch: readHomeParams,
  // Only the server waits: a browser shows the page immediately, with skeletons.
  loader: ({ context }) => {
    const popular = ensurePopular(context.trpc)
    return import.meta.env.SSR ? popular : undefined
  },
  component: HomePage,
})

function HomePage() {
  const { tab = 'all' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const isMember = useSession() !== null
  useEffect(() => {
    if (isMember) load()
  }, [isMember])
  const stay = { replace: true, resetScroll: false, viewTransition: false }
  return (
    <>
      <HomeHero isMember={isMember} />
      {isMember ? <MemberHome part="above" /> : null}
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-16 pt-10 sm:pt-14 member:pt-4">
        <HydratedLater>
          <PopularThisWeek
            tab={tab}
            onTab={(next) => void navigate({ search: next === 'all' ? {} : { tab: next }, ...stay })}
          />
          {/* As high as a window, so that the footer does not move when the sections of a member load. */}
          <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-16 member:min-h-svh">
            {isMember ? <MemberHome part="below" /> : <FriendsCallout />}
          </div>
        </HydratedLater>
      </div>
    </>
  )
}
