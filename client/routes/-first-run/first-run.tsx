import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Check, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { SessionUser } from '#client/app/session.ts'
import { SuggestedPeople } from '#client/social/suggested-people.tsx'
import { trpc } from '#client/app/trpc.ts'
import { Button, ButtonLink, IconButton } from '#client/ui/button.tsx'
import { closeFirstSteps, firstFollows, firstRatings } from './closed.ts'
import { FiveYouLove } from './five-you-love.tsx'
import { RatingWall } from './rating-wall.tsx'
import { t } from '#shared/domain/message.ts'

type Step = 'rate' | 'follow'

/** Use `FirstSteps`, which lazy-loads this. */
export function FirstRun({ user, className }: { user: SessionUser; className?: string | undefined }) {
  const { data } = trpc.accounts.profile.useQuery({ id: user.id })
  return data === undefined ? null : <Steps user={user} counts={data.user} className={className} />
}

function Steps({
  user,
  counts: { reviewCount, followingCount },
  className,
}: {
  user: SessionUser
  counts: Pick<SessionUser, 'reviewCount' | 'followingCount'>
  className?: string | undefined
}) {
  const [isClosed, setClosed] = useState(false)
  // Not derived from the number of ratings: a member may go on after the tenth.
  const [step, setStep] = useState<Step>(reviewCount < firstRatings ? 'rate' : 'follow')
  const heading = useRef<HTMLHeadingElement>(null)
  const { data } = trpc.imports.list.useQuery()
  const hasImported = data?.imports.some(({ state }) => state === 'done') ?? false
  if (isClosed) return null
  const rated = Math.min(firstRatings, reviewCount)
  const followed = Math.min(firstFollows, followingCount)
  const hasRated = rated === firstRatings
  const said = t`${rated} of ${firstRatings} rated, ${followed} of ${firstFollows} followed`
  const isDone = hasRated && followed === firstFollows

  return (
    <div className={className}>
      <section aria-labelledby="first-steps" className="card relative grid-cols-[minmax(0,1fr)]">
        <h2 id="first-steps" ref={heading} tabIndex={-1} className="pe-12 text-h2">
          {isDone ? t`That is it.` : t`Make it yours`}
        </h2>
        <p className="mt-1 max-w-[40em] text-muted max-sm:sr-only">
          {isDone
            ? t`Your profile, For You and your feed now have something to show.`
            : t`Three steps, about a minute: then your profile, For You and your feed have something to show.`}
        </p>
        <IconButton
          label="Close the first steps"
          className="absolute top-3 inset-e-3"
          onClick={() => {
            closeFirstSteps(user)
            setClosed(true)
          }}
        >
          <X aria-hidden />
        </IconButton>
        <div
          role="progressbar"
          aria-label="First steps"
          aria-valuemin={0}
          aria-valuemax={firstRatings + firstFollows}
          aria-valuenow={rated + followed}
          aria-valuetext={said}
          className="mt-4 h-1 overflow-hidden rounded-full bg-raised"
        >
          <div
            className="h-full rounded-full bg-ink transition-[width] duration-500"
            style={{ width: `${(100 * (rated + followed)) / (firstRatings + firstFollows)}%` }}
          />
        </div>
        <p role="status" className="sr-only">
          {rated + followed === 0 ? '' : said}
        </p>
        <ol className="mt-4 grid grid-cols-3 gap-2">
          <li>
            <Link to="/imports" className={stepClass}>
              <StepLabel number={hasImported ? null : '1'} title="Import a history">
                {hasImported
                  ? t`Another one?`
                  : t`Letterboxd, Goodreads, IMDb and others. You can skip this.`}
              </StepLabel>
            </Link>
          </li>
          <li>
            <button
              type="button"
              aria-expanded={step === 'rate'}
              onClick={() => setStep('rate')}
              className={stepClass}
            >
              <StepLabel number={hasRated ? null : '2'} title="Rate ten">
                {rated} of {firstRatings}
              </StepLabel>
            </button>
          </li>
          <li>
            <button
              type="button"
              aria-expanded={step === 'follow'}
              onClick={() => setStep('follow')}
              className={stepClass}
            >
              <StepLabel number={followed === firstFollows ? null : '3'} title="Follow three">
                {followed} of {firstFollows}
              </StepLabel>
            </button>
          </li>
        </ol>
        <div className="mt-5">
          {step === 'rate' ? (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
              <RatingWall />
              <FiveYouLove userId={user.id} />
            </div>
          ) : (
            <SuggestedPeople />
          )}
        </div>
        <div className="mt-5 flex flex-wrap items-center gap-3">
          {isDone ? (
            <ButtonLink variant="primary" render={<Link to="/for-you" />}>
              See what they loved
            </ButtonLink>
          ) : step === 'rate' ? (
            <Button
              variant={hasRated ? 'primary' : 'soft'}
              onClick={() => {
                setStep('follow')
                // The button disappears, and the page becomes shorter.
                heading.current?.focus()
              }}
            >
              Next: follow three
            </Button>
          ) : (
            <ButtonLink variant="soft" render={<Link to="/search" search={{ tab: 'users' }} />}>
              Find people by name
            </ButtonLink>
          )}
        </div>
      </section>
    </div>
  )
}

const stepClass =
  'flex h-full w-full items-center gap-3 rounded-field border border-line px-3 py-2 text-start max-sm:min-h-12 sm:min-h-16 transition-colors hover:border-edge aria-expanded:border-ink'

function StepLabel({
  number,
  title,
  children,
}: {
  number: string | null
  title: string
  children: ReactNode
}) {
  return (
    <>
      <span
        className={clsx(
          'grid size-8 shrink-0 place-items-center rounded-full text-label tabular-nums max-sm:size-5',
          number === null ? 'bg-ink text-bg' : 'bg-raised max-sm:hidden',
        )}
      >
        {number ?? (
          <>
            <Check aria-hidden className="size-4" />
            <span className="sr-only">Done:</span>
          </>
        )}
      </span>
      <span className="min-w-0">
        <span className="block text-label max-sm:text-meta">{title}</span>
        <span className="block text-meta text-muted tabular-nums max-sm:sr-only">{children}</span>
      </span>
    </>
  )
}
