import { useSuspenseQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { kindRouter, readKey, titleIn } from '#client/app/kinds.ts'
import { Overview, TitleFacts } from '#client/catalogue/title/title-facts.tsx'
import { TitleHero } from '#client/catalogue/title/title-hero.tsx'
import { viewOf } from '#client/catalogue/title/title-view.ts'
import { DiaryButton } from '#client/diary/diary-button.tsx'
import { inPlace } from '#client/app/links.ts'
import { listingOf, listingSearch, type ReviewsSearch } from '#client/reviews/listing.ts'
import { AudiencePulse } from '#client/reviews/audience-pulse.tsx'
import { Averages } from '#client/reviews/averages.tsx'
import { useMyReview } from '#client/reviews/hooks.ts'
import { PinnedReview } from '#client/reviews/pinned-review.tsx'
import { RateButton } from '#client/reviews/rate-button.tsx'
import { ShareYourTake } from '#client/reviews/take-section.tsx'
import { SameStory } from '#client/feed/same-story.tsx'
import { WhereToWatch } from '#client/offers/where-to-watch.ts'
import { AddToListButton } from '#client/lists/add-to-list-button.tsx'
import { ListsOfTitle } from '#client/lists/lists-of-title.tsx'
import { SimilarTitles } from '#client/feed/similar-titles.tsx'
import type { NamedTitle } from '#client/reviews/title.ts'
import { UserReviews } from '#client/reviews/user-reviews.tsx'
import { ReportButton } from '#client/members/report-button.tsx'
import { getSession, useSession } from '#client/app/session.ts'
import { useSite } from '#client/app/site.ts'
import { FavoriteButton } from '#client/social/favorite-button.tsx'
import { trpc } from '#client/app/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { RenderedLater } from '#client/ui/hydration.ts'
import { KindIcon } from '#client/ui/kind.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { allKinds } from '#shared/domain/kinds.ts'
import { ProblemPage } from './-shell/problems.tsx'
import { t } from '#shared/domain/message.ts'

const { AutoLoaded: Seasons } = lazyComponent(async () => (await import('./-show-seasons.tsx')).ShowSeasons, {
  isInPage: true,
})

/** The path param's name depends on the kind. */
function useTitleParams() {
  const params: object = useParams({ strict: false })
  const definition = allKinds.find(({ idKey }) => idKey in params)!
  return { definition, id: Number(readKey(params, definition.idKey)) }
}

export function TitlePage() {
  const { definition, id } = useTitleParams()
  const { kind } = definition
  const search: ReviewsSearch = useSearch({ strict: false })
  const isMember = useSession() !== null
  const { data: answer } = useSuspenseQuery(kindRouter(trpc.useUtils(), definition).byId.queryOptions({ id }))
  const change = useSearchChange()
  useOverallForVisitors(search, change)

  const shown = titleIn(definition, answer)
  const view = viewOf(kind, shown)
  const title = { kind, id, name: view.name }
  const { source } = shown
  const { hasOffers } = useSite()
  return (
    <article key={id} data-kind={kind}>
      <TitleHero
        definition={definition}
        id={id}
        view={view}
        averages={<Averages title={title} overall={answer.stats.avg} />}
        actions={
          <>
            <FavoriteButton title={title} />
            <RateButton title={title} />
            <DiaryButton title={title} />
            <AddToListButton title={title} />
            {source === null || source === 'import' ? (
              <ReportButton type="title" id={id} heading={t`Report ${view.name}`} authorId={null} />
            ) : null}
          </>
        }
      />
      {search.review === undefined ? null : (
        <PinnedReview key={search.review} title={title} id={search.review} className="page mt-10" />
      )}
      <div className="page mt-10 flex flex-col gap-12 lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] lg:items-start">
        <div className="contents lg:grid lg:gap-8 [@media(min-width:64rem)_and_(min-height:52rem)]:sticky [@media(min-width:64rem)_and_(min-height:52rem)]:top-24">
          <TitleFacts definition={definition} view={view} className="order-1" />
          <RenderedLater>
            <SameStory kind={kind} id={id} className="order-2 empty:hidden" />
          </RenderedLater>
          <RenderedLater>
            <AudiencePulse
              title={title}
              audience={(isMember && search.scope) || 'overall'}
              onAudience={(scope) => change({ scope })}
              className="order-3 w-full"
            />
          </RenderedLater>
        </div>
        <div className="contents lg:grid lg:gap-12">
          <Overview definition={definition} text={view.overview} className="order-2" />
          {hasOffers && 'tmdbId' in shown && shown.tmdbId !== null ? (
            <RenderedLater>
              <WhereToWatch isShow={kind === 'tvShow'} id={id} className="order-2" />
            </RenderedLater>
          ) : null}
          {kind === 'tvShow' ? (
            <RenderedLater>
              <Seasons id={id} className="order-2" />
            </RenderedLater>
          ) : null}
          <RenderedLater>
            <TitleReviews title={title} />
          </RenderedLater>
        </div>
      </div>
      <RenderedLater>
        <SimilarTitles kind={kind} id={id} className="page mt-12" />
        <ListsOfTitle id={id} className="page mt-12" />
      </RenderedLater>
    </article>
  )
}

/** Also of an episode: its page loads this file, so that pages of titles need no further ones. */
export function TitleReviews({ title }: { title: NamedTitle }) {
  const listing = listingOf(useSearch({ strict: false }) as ReviewsSearch, useSession() !== null)
  const change = useSearchChange()
  const isOpen = Boolean(useMyReview(title).data) || !title.isGone
  return (
    <>
      {isOpen ? <ShareYourTake title={title} className="order-4" /> : null}
      <UserReviews
        title={title}
        listing={listing}
        onListing={(to) => change(listingSearch({ ...listing, ...to }))}
        pageLink={pageLink}
        className="order-5"
      />
    </>
  )
}

export { PinnedReview }

function pageLink(page: number) {
  return (
    <Link
      to="."
      search={(before: ReviewsSearch) => ({ ...before, page: page > 1 ? page : undefined })}
      resetScroll={false}
      viewTransition={false}
    />
  )
}

function useOverallForVisitors(
  { scope, reviews }: ReviewsSearch,
  change: (search: ReviewsSearch) => void,
): void {
  useEffect(() => {
    if (getSession() !== null || (scope ?? reviews) === undefined) return
    change({ scope: undefined, reviews: undefined, page: undefined })
  })
}

function useSearchChange() {
  const navigate = useNavigate()
  return (change: ReviewsSearch) =>
    void navigate({
      to: '.',
      search: (before: ReviewsSearch) => ({ ...before, ...change }),
      ...inPlace,
    })
}

export function TitleProblem(problem: ErrorComponentProps) {
  return (
    <div data-kind={useTitleParams().definition.kind}>
      <ProblemPage {...problem} />
    </div>
  )
}

export function NoTitle() {
  const { kind, words } = useTitleParams().definition
  return (
    <div data-kind={kind} className="page py-12">
      <EmptyState
        isPage
        icon={<KindIcon kind={kind} />}
        title={words.notFound}
        action={
          <>
            <ButtonLink variant="primary" render={<Link to="/search" />}>
              Search for another
            </ButtonLink>
            <ButtonLink render={<Link to="/" />}>See what is popular</ButtonLink>
          </>
        }
      >
        It may have been removed, or its address has a typo.
      </EmptyState>
    </div>
  )
}
