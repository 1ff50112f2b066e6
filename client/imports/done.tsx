import { Link } from '@tanstack/react-router'
import { CircleCheck, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { titlePath } from '#client/app/kinds.ts'
import { PosterWall } from '#client/titles/poster-wall.tsx'
import { useSession } from '#client/app/session.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { Stat, Stats } from '#client/ui/stat.tsx'
import { Time } from '#client/ui/time.tsx'
import type { ImportDetail } from '#shared/contracts/imports.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { failed, useAction, useTitles, useUndoPreview } from './hooks.ts'
import { NotYet, type PanelProps } from './panel.tsx'
import { toImport } from './params.ts'
import { plural, t } from '#shared/domain/message.ts'

const { Component: UndoDialog, opens } = lazyComponent(
  async () => (await import('./undo-dialog.tsx')).UndoDialog,
)

export function Done({ one }: PanelProps) {
  const { id, service, state, counts, parts, appliedAt, undoneAt, withoutRating, unknownEpisodes, options } =
    one
  const hasFile = service !== 'originals'
  const { count } = useFormats()
  const userId = useSession()?.user.id
  if (state === 'undone')
    return (
      <Callout
        title={
          <>
            {undoneAt === null ? (
              t`This import was undone.`
            ) : (
              <>
                This import was undone on <Time value={undoneAt} />.
              </>
            )}
          </>
        }
        action={hasFile ? <Again one={one} /> : undefined}
      >
        {hasFile
          ? t`What it had added is gone. Its lines are still here and can be read again.`
          : t`The ratings are whole stars again, unless you have changed them since.`}
      </Callout>
    )
  if (state === 'applying') return <NotYet>The result is shown here when the import is done.</NotYet>
  if (state === 'undoing') return <NotYet>The import is being undone.</NotYet>
  if (state !== 'done' && appliedAt === null && !(state === 'stopped' && (counts['taken'] ?? 0) > 0))
    return <NotYet>Nothing is imported yet.</NotYet>
  const open = counts['ambiguous'] ?? 0
  const taken = counts['taken'] ?? 0
  const imported = importedOf(parts).filter(({ number, isAlways }) => isAlways || number > 0)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <div>
        <p className="flex items-center gap-3 font-display text-h2">
          <CircleCheck aria-hidden className="size-7 shrink-0 text-ok" />
          <span>
            {hasFile ? t`${count(taken)} imported.` : t`${count(taken)} restored.`}
            {hasFile && options.conflicts === 'mine' ? <> {t`Nothing here was overwritten.`}</> : null}
          </span>
        </p>
        {appliedAt === null ? null : (
          <p className="mt-1 text-meta text-muted">
            <Time value={appliedAt} />
          </p>
        )}
      </div>
      {hasFile ? (
        <Stats>
          {imported.map(({ number, label, value = count(number) }) => (
            <Stat key={label} label={label} value={value} />
          ))}
        </Stats>
      ) : null}
      <Wall id={id} total={taken} />
      <div className="flex flex-wrap gap-2">
        {open > 0 ? (
          <ButtonLink variant="primary" render={<Link {...toImport(id, { tab: 'decide' })} />}>
            {plural(open, { one: 'Decide about # title', other: 'Decide about # titles' })}
          </ButtonLink>
        ) : null}
        {withoutRating > 0 ? (
          <ButtonLink render={<Link {...toImport(id, { tab: 'titles', unrated: 'yes' })} />}>
            {plural(withoutRating, {
              one: 'Rate the # review without a rating',
              other: 'Rate the # reviews without a rating',
            })}
          </ButtonLink>
        ) : null}
        {unknownEpisodes > 0 ? (
          <ButtonLink render={<Link {...toImport(id, { tab: 'titles', episodes: 'unknown' })} />}>
            {plural(unknownEpisodes, {
              one: 'Show the # episode that is not known here',
              other: 'Show the # episodes that are not known here',
            })}
          </ButtonLink>
        ) : null}
        {userId === undefined ? null : (
          <ButtonLink
            variant={open > 0 ? 'soft' : 'primary'}
            render={<Link to="/user/$userId/reviews" params={{ userId: String(userId) }} />}
          >
            Open my ratings
          </ButtonLink>
        )}
        <ButtonLink render={<Link to="/diary" />}>Open your diary</ButtonLink>
        {parts.lists > 0 ? (
          <ButtonLink render={<Link to="/lists" search={{ tab: 'mine' }} />}>Open your lists</ButtonLink>
        ) : null}
        {hasFile ? <Again one={one} /> : null}
      </div>
      <Undo one={one} />
    </div>
  )
}

type Imported = { number: number; label: string; isAlways?: true; value?: string }

function importedOf(parts: ImportDetail['parts']): Imported[] {
  const { ratings, reviews, entries, partReviews, episodes, favorites, lists, listItems, follows } = parts
  return [
    { number: ratings, label: plural(ratings, { one: 'Rating', other: 'Ratings' }), isAlways: true },
    { number: reviews, label: plural(reviews, { one: 'Review', other: 'Reviews' }), isAlways: true },
    { number: entries, label: t`In the diary`, isAlways: true },
    {
      number: partReviews,
      label: plural(partReviews, {
        one: 'Rating of a season or an episode',
        other: 'Ratings of seasons and episodes',
      }),
    },
    { number: episodes, label: plural(episodes, { one: 'Episode', other: 'Episodes' }) },
    { number: favorites, label: plural(favorites, { one: 'Favorite', other: 'Favorites' }), isAlways: true },
    { number: lists, label: plural(lists, { one: 'List', other: 'Lists' }) },
    { number: listItems, label: t`In lists` },
    { number: follows, label: plural(follows, { one: 'Follow', other: 'Follows' }) },
    { number: parts.settings, label: t`Settings`, value: t`Restored` },
    { number: parts.titles, label: t`Created titles` },
  ]
}

function Wall({ id, total }: { id: number; total: number }) {
  const { count } = useFormats()
  const { data } = useTitles(id, { state: 'taken' })
  const titles = [
    ...new Map(data?.titles.flatMap(({ title }) => (title ? [[title.id, title] as const] : []))).values(),
  ]
  if (titles.length === 0) return null
  return (
    <div>
      <PosterWall
        label="Imported titles"
        titles={titles}
        className="grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] gap-2 sm:grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))]"
      />
      {total > titles.length ? (
        <p className="mt-2 text-meta text-muted">{t`and ${count(total - titles.length)} more`}</p>
      ) : null}
    </div>
  )
}

function Again({ one: { id } }: { one: ImportDetail }) {
  const again = useAction('again')
  return (
    <Button
      variant="outline"
      busy={again.isPending}
      onClick={() => again.mutate({ id }, failed(t`The import was not read again`))}
    >
      Read the file again
    </Button>
  )
}

function Undo({ one }: { one: ImportDetail }) {
  const { id, state } = one
  const [isOpen, setOpen] = useState(false)
  const preview = useUndoPreview(id, isOpen)
  if (!['done', 'ready', 'stopped'].includes(state)) return null
  const keeps = preview.data?.keeps ?? []
  return (
    <section aria-label="Undo" className="border-t border-line pt-6">
      <Button
        variant="outline"
        icon={<Undo2 aria-hidden />}
        aria-haspopup="dialog"
        {...opens(() => setOpen(true))}
      >
        Undo the whole import
      </Button>
      <p className="mt-2 text-meta text-muted">You see what that does before anything is removed.</p>
      <UndoDialog id={id} open={isOpen} onOpenChange={setOpen} preview={preview} />
      {keeps.length > 0 ? (
        <div className="mt-5">
          <p className="text-label">What you changed since, which stays</p>
          <ul className="mt-1 text-meta">
            {keeps.map(({ what, title }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a title may be listed twice
              <li key={index}>
                <Link to={titlePath(kinds[title.kind], title.id)} className="link">
                  <bdi>{title.name}</bdi>
                </Link>
                {`: ${what}`}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </section>
  )
}
