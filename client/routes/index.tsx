import { createFileRoute } from '@tanstack/react-router'
import { useEffect } from 'react'
import { HomeHero, HomePoints } from '#client/catalogue/home/home-hero.tsx'
import { OneReview } from '#client/catalogue/home/one-review.tsx'
import { ensurePopular } from '#client/catalogue/home/popular-data.ts'
import { PopularThisWeek } from '#client/catalogue/home/popular-this-week.tsx'
import { readHomeParams } from '#client/catalogue/home/params.ts'
import { FriendsCallout } from '#client/feed/friends-callout.tsx'
import { inPlace } from '#client/app/links.ts'
import { useSession } from '#client/app/session.ts'
import { RenderedLater } from '#client/ui/hydration.ts'
import { lazyComponent } from '#client/ui/lazy.ts'

const { Component: MemberHome, load } = lazyComponent(
  async () => (await import('./-member-home.tsx')).MemberHome,
  { isInPage: true },
)

export const Route = createFileRoute('/')({
  validateSearch: readHomeParams,
  // Only the server waits: a browser shows skeletons.
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
  const stay = { ...inPlace }
  return (
    <>
      <HomeHero isMember={isMember} />
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-12 pt-6 member:pt-4">
        <RenderedLater>
          {/* As high as one row of news, so that the popular titles stay in place. */}
          <div className="hidden grid-cols-[minmax(0,1fr)] content-start gap-12 member:grid member:min-h-[23rem]">
            {isMember ? <MemberHome part="above" /> : null}
          </div>
          <PopularThisWeek
            tab={tab}
            onTab={(next) => void navigate({ search: next === 'all' ? {} : { tab: next }, ...stay })}
          />
          {/* As high as its content, so that the footer does not move. */}
          <div className="-m-4 grid grid-cols-[minmax(0,1fr)] content-start gap-12 p-4 lazy-paint member:min-h-120">
            {isMember ? (
              <MemberHome part="below" />
            ) : (
              <>
                <OneReview />
                <HomePoints />
                <FriendsCallout />
              </>
            )}
          </div>
        </RenderedLater>
      </div>
    </>
  )
}
