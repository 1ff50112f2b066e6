import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { givenText, useFormats } from '#client/ui/formats.ts'
import { Section } from '#client/ui/section.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Stars } from '#client/ui/stars.tsx'
import type { ImportDetail } from '#shared/contracts/imports.ts'
import { Columns, ShelvesOfFile } from './columns.tsx'
import { Counts } from './counts.tsx'
import { failed, useAction } from './hooks.ts'
import { ListsOfFile } from './lists-of-file.tsx'
import type { PanelProps } from './panel.tsx'
import { toImport } from './params.ts'
import { isOpenToOptions, Options, useOptions } from './options.tsx'
import { allOf } from '#shared/texts/formats.ts'
import { nameOfLeft } from './labels.ts'
import { plural, t } from '#shared/domain/message.ts'

export function Rehearsal({ one, onParams }: PanelProps) {
  const isStarted = ['applying', 'done', 'undoing', 'undone'].includes(one.state)
  const isBefore = !isStarted && (one.counts['taken'] ?? 0) === 0
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <div>
        <p className="text-lead font-semibold">
          {isBefore ? t`This is a rehearsal. Nothing has been changed.` : t`This is what the file has.`}
        </p>
        <MissingSources one={one} />
        <div className="mt-5">
          <Counts one={one} />
        </div>
        {isBefore || one.state === 'ready' ? <Start one={one} onStarted={() => onParams({})} /> : null}
      </div>
      {one.columns.length > 0 ? <Columns one={one} /> : null}
      {one.shelves.length > 0 ? <ShelvesOfFile one={one} /> : null}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-2">
        <Ratings one={one} />
        <Options one={one} />
      </div>
      <ListsOfFile one={one} />
      <Episodes one={one} />
      <NotKept one={one} />
    </div>
  )
}

/** Members cannot give the server keys: only the effect is said. */
function MissingSources({ one: { missingKeys } }: { one: ImportDetail }) {
  const [noScreen, noGames] = ['TMDB', 'IGDB'].map((key) => missingKeys.includes(key))
  const text =
    noScreen && noGames
      ? t`Only films and shows and games that are already on Medley are found.`
      : noScreen
        ? t`Only films and shows that are already on Medley are found.`
        : noGames
          ? t`Only games that are already on Medley are found.`
          : null
  return text && <Callout className="mt-4">{text}</Callout>
}

function Start({ one, onStarted }: { one: ImportDetail; onStarted: () => void }) {
  const { id, state, changes, parts, counts } = one
  const { count } = useFormats()
  const start = useAction('start')
  const visibility = trpc.diary.visibility.useQuery().data?.visibility
  const isReady = state === 'ready'
  const open = counts['ambiguous'] ?? 0
  const additions = [
    changes > 0 ? plural(changes, { one: '# title', other: '# titles' }) : '',
    parts.follows > 0 ? plural(parts.follows, { one: '# follow', other: '# follows' }) : '',
    parts.lists > 0 ? plural(parts.lists, { one: '# list', other: '# lists' }) : '',
    parts.settings > 0 ? t`your notification settings` : '',
  ].filter(Boolean)
  return (
    <div className="mt-6 grid gap-4">
      {parts.reviews + parts.entries > 0 ? (
        <p>
          {parts.reviews > 0 ? (
            <>
              {plural(parts.reviews, {
                one: '# review will be public, with its own date.',
                other: '# reviews will be public, with their own dates.',
              })}{' '}
            </>
          ) : null}
          {visibility === 'followers'
            ? t`Your followers can see your diary, as you chose in the settings.`
            : visibility === 'public'
              ? t`Everyone can see your diary, as you chose in the settings.`
              : t`Only you can see your diary.`}
        </p>
      ) : null}
      {parts.follows > 0 ? (
        <p>
          {plural(parts.follows, {
            one: 'You will follow # member again. They are not notified.',
            other: 'You will follow # members again. They are not notified.',
          })}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Button
          variant="primary"
          size="lg"
          busy={start.isPending}
          disabled={!isReady || additions.length === 0}
          onClick={({ currentTarget }) => {
            // The button is gone when the import has started.
            const panel = currentTarget.closest<HTMLElement>('[role=tabpanel]')
            // Not callbacks of the call: this component is gone by then.
            void start.mutateAsync({ id }).then(
              () => {
                onStarted()
                panel?.focus()
              },
              failed(t`The import did not start`).onError,
            )
          }}
        >
          {additions.length > 0 ? t`Import ${allOf(additions)}` : isReady ? t`Nothing to import` : t`Import`}
        </Button>
        {open > 0 && isReady ? (
          <p className="text-meta text-muted">
            {t`${count(open)} still to decide. You can do that before or after.`}
          </p>
        ) : null}
      </div>
    </div>
  )
}

function Ratings({ one }: { one: ImportDetail }) {
  const { id, ratings, rounded, halfStars, options, withoutRating } = one
  const { count } = useFormats()
  const change = useOptions(id)
  const isLocked = !isOpenToOptions(one)
  if (ratings.length === 0 && withoutRating === 0) return null
  const most = Math.max(...ratings.map((rating) => rating.count))
  return (
    <Section title="Your ratings" className="card">
      <table className="w-full text-start tabular-nums">
        <caption className="sr-only">The ratings of the file and the stars that they become</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">In the file</th>
            <th scope="col">Here</th>
            <th scope="col">Ratings</th>
          </tr>
        </thead>
        <tbody>
          {ratings.map((rating) => (
            <tr key={rating.given}>
              <th scope="row" className="w-px py-1 pe-3 font-medium whitespace-nowrap">
                {givenText(rating.given)}
              </th>
              <td className="w-px py-1 pe-4 whitespace-nowrap">
                <span className="inline-flex items-center gap-2">
                  <ArrowRight aria-hidden className="size-4 text-muted" />
                  <Stars value={rating.stars} />
                </span>
              </td>
              <td className="py-1">
                <span className="flex items-center gap-2 text-meta text-muted">
                  <span
                    aria-hidden
                    style={{ width: `${(rating.count / most) * 70}%` }}
                    className="h-2 min-w-1 rounded-full bg-edge/70"
                  />
                  {count(rating.count)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {halfStars.count > 0 ? (
        <div className="mt-4">
          <Segmented
            label="Steps of the ratings"
            value={options.halfStars ? 'half' : 'whole'}
            disabled={isLocked}
            options={[
              { value: 'half', label: t`Half stars` },
              { value: 'whole', label: t`Whole stars` },
            ]}
            onChange={(steps) => change({ halfStars: steps === 'half' })}
          />
        </div>
      ) : null}
      {halfStars.turnsOn ? <p className="mt-4">This turns on half stars.</p> : null}
      {rounded > 0 ? (
        <p className="mt-4">
          {plural(rounded, {
            one: '# rating is rounded; the original is kept.',
            other: '# ratings are rounded; the originals are kept.',
          })}
        </p>
      ) : null}
      {ratings.some(({ isHalf }) => isHalf) ? (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
          <p aria-hidden className="text-label">
            Exactly between two
          </p>
          <Segmented
            label="Exactly between two"
            value={options.halves}
            disabled={isLocked}
            options={[
              { value: 'up', label: t`Up` },
              { value: 'down', label: t`Down` },
            ]}
            onChange={(halves) => change({ halves })}
          />
        </div>
      ) : null}
      {withoutRating > 0 ? (
        <p className="mt-4 text-meta text-muted">
          {plural(withoutRating, {
            one: '# review has no rating. A review here needs one, so its text goes into your diary.',
            other: '# reviews have no rating. A review here needs one, so their texts go into your diary.',
          })}
        </p>
      ) : null}
    </Section>
  )
}

function Episodes({ one: { id, parts, unknownEpisodes } }: { one: ImportDetail }) {
  if (parts.episodes + parts.partReviews + unknownEpisodes === 0) return null
  return (
    <Section title="Episodes">
      {parts.episodes > 0 ? (
        <p>
          {plural(parts.episodes, {
            one: '# watched episode, with its date',
            other: '# watched episodes, with their dates',
          })}
        </p>
      ) : null}
      {parts.partReviews > 0 ? (
        <p>
          {plural(parts.partReviews, {
            one: '# rating of a season or an episode',
            other: '# ratings of seasons and episodes',
          })}
        </p>
      ) : null}
      {unknownEpisodes > 0 ? (
        <p className="mt-2">
          <Link {...toImport(id, { tab: 'titles', episodes: 'unknown' })} className="link">
            {plural(unknownEpisodes, {
              one: '# episode is not known here',
              other: '# episodes are not known here',
            })}
          </Link>
        </p>
      ) : null}
    </Section>
  )
}

function NotKept({ one: { notKept } }: { one: ImportDetail }) {
  const { count } = useFormats()
  if (notKept.length === 0) return null
  return (
    <Section title="What Medley does not import">
      <ul className="flex flex-wrap gap-2">
        {notKept.map(({ what, count: number }) => (
          <li key={what} className="rounded-full border border-line px-3.5 py-1.5 text-meta tabular-nums">
            {`${nameOfLeft(what)} ${count(number)}`}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-meta text-muted">
        These lines stay in this import, and “Read the file again” uses them.
      </p>
    </Section>
  )
}
