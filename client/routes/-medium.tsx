import { useSuspenseQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { kindUtils, recordOf } from '#client/kinds.ts'
import { Facts } from '#client/catalogue/medium/facts.tsx'
import { Hero } from '#client/catalogue/medium/hero.tsx'
import { MediumNotFound } from '#client/catalogue/medium/not-found.tsx'
import { Overview } from '#client/catalogue/medium/overview.tsx'
import { viewOf } from '#client/catalogue/medium/view.ts'
import { AudiencePulse } from '#client/reviews/audience-pulse.tsx'
import { Averages } from '#client/reviews/averages.tsx'
import { ShareYourTake } from '#client/reviews/share-your-take.tsx'
import { UserReviews } from '#client/reviews/user-reviews.tsx'
import { getSession, useSession } from '#client/session.ts'
import { FavoriteButton } from '#client/social/favorite-button.tsx'
import { trpc } from '#client/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { type Kind, kinds } from '#shared/media.ts'
import { listingOf, listingSearch, type MediumSearch } from './-medium-data.ts'
import { ProblemPage } from './-shell/problems.tsx'

/** The page of a title of any kind. */
export function Medium({ kind, id, search }: { kind: Kind; id: number; search: MediumSearch }) {
  const facts = kinds[kind]
  const isMember = useSession() !== null
  const { data: answer } = useSuspenseQuery(kindUtils(trpc.useUtils(), facts).byId.queryOptions({ id }))
  const change = useSearchChange()
  useOverallForVisitors(search, change)

  const title = { kind, id }
  const view = viewOf(kind, recordOf(facts, answer))
  return (
    <article key={id} data-kind={kind}>
      <Hero
        facts={facts}
        id={id}
        view={view}
        averages={<Averages title={title} overall={answer.stats.avg} />}
        actions={<FavoriteButton facts={facts} id={id} />}
      />
      <div className="page mt-10 flex flex-col gap-12 lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] lg:items-start">
        {/* One column on a phone: what is beside the text on a desk then stands between its parts. */}
        <div className="contents lg:grid lg:gap-8">
          <Facts facts={facts} view={view} className="order-1" />
          <AudiencePulse
            title={title}
            scope={(isMember && search.scope) || 'overall'}
            onScope={(scope) => change({ scope })}
            className="order-3 w-full"
          />
        </div>
        <div className="contents lg:grid lg:gap-12">
          <Overview facts={facts} text={view.overview} className="order-2" />
          <ShareYourTake title={title} name={view.name} className="order-4" />
          <UserReviews
            title={title}
            listing={listingOf(search, isMember)}
            onListing={(listing) => change(listingSearch({ ...listingOf(search, isMember), ...listing }))}
            pageLink={pageLink}
            className="order-5"
          />
        </div>
      </div>
    </article>
  )
}

function pageLink(page: number) {
  return (
    <Link
      to="."
      search={(before: MediumSearch) => ({ ...before, page: page > 1 ? page : undefined })}
      resetScroll={false}
      viewTransition={false}
    />
  )
}

/** Logging out leaves nothing of the network in the address. */
function useOverallForVisitors(
  { scope, reviews }: MediumSearch,
  change: (search: MediumSearch) => void,
): void {
  useEffect(() => {
    // Not as the page is shown: one of the server's is a visitor's until it lives.
    if (getSession() !== null || (scope ?? reviews) === undefined) return
    change({ scope: undefined, reviews: undefined, page: undefined })
  })
}

/** Changes a part of the address, in place and without a jump. */
function useSearchChange() {
  const navigate = useNavigate()
  return (change: MediumSearch) =>
    void navigate({
      to: '.',
      search: (before: MediumSearch) => ({ ...before, ...change }),
      replace: true,
      resetScroll: false,
      viewTransition: false,
    })
}

export function MediumProblem({ kind, ...problem }: ErrorComponentProps & { kind: Kind }) {
  return (
    <div data-kind={kind}>
      <ProblemPage {...problem} />
    </div>
  )
}

export function NoMedium({ kind }: { kind: Kind }) {
  return (
    <MediumNotFound
      facts={kinds[kind]}
      action={
        <>
          <ButtonLink variant="primary" render={<Link to="/search" />}>
            Search for another
          </ButtonLink>
          <ButtonLink render={<Link to="/" />}>See what is popular</ButtonLink>
        </>
      }
    />
  )
}
