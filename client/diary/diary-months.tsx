import { Link } from '@tanstack/react-router'
import { Pencil, Repeat2, StickyNote } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { titlePath } from '#client/app/kinds.ts'
import { useRendered } from '#client/app/rendered.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { KindDot } from '#client/ui/kind.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { Stars } from '#client/ui/stars.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { isOver, kinds } from '#shared/domain/kinds.ts'
import { byDay, byMonth, reachedText, statusWord } from './entries.ts'
import type { DiaryEntry, ShownEntry } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

const { Component: EntryDialog, load } = lazyComponent(
  async () => (await import('./entry-dialog.tsx')).EntryDialog,
)

type Shown = DiaryEntry | ShownEntry

const rowHeight = 5.8

export function Months({ entries: all, isOwn }: { entries: readonly Shown[]; isOwn: boolean }) {
  const { release } = useDates()
  const entries = useRendered(all)
  const [edited, setEdited] = useState<DiaryEntry>()
  const [isOpen, setOpen] = useState(false)
  const [opened, setOpened] = useState(0)
  const edit = (entry: Shown) => {
    load()
    setEdited(entry as DiaryEntry)
    setOpened(opened + 1)
    setOpen(true)
  }
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        {byMonth(entries).map(({ month, entries: ofMonth }) => (
          <section key={month} aria-labelledby={`month-${month}`}>
            <h2
              id={`month-${month}`}
              className="sticky top-16 z-10 -mx-2 bg-bg/92 px-2 py-2 text-h3 backdrop-blur-md"
            >
              {month === '' ? t`Without a date` : release(month)}
            </h2>
            <ol>
              {byDay(ofMonth).map(({ day, entries: ofDay }) => (
                <li key={day} className="flex gap-3 border-b border-line last:border-none sm:gap-5">
                  <Day day={day} />
                  <ul
                    // Skipped content is clipped: the padding makes room for focus rings.
                    className="-m-2 min-w-0 grow p-2 lazy-paint"
                    style={{ '--lazy-height': `${ofDay.length * rowHeight}rem` } as CSSProperties}
                  >
                    {ofDay.map((entry) => (
                      <Row key={entry.id} entry={entry} onEdit={isOwn ? () => edit(entry) : undefined} />
                    ))}
                  </ul>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      {edited === undefined ? null : (
        <EntryDialog
          key={opened}
          title={edited.title}
          entry={edited}
          entries={[]}
          open={isOpen}
          onOpenChange={setOpen}
        />
      )}
    </>
  )
}

function Day({ day }: { day: string }) {
  const { fullDate, lang, weekday } = useDates()
  if (day.length < 10) return <span className="w-9 shrink-0 sm:w-12" />
  const date = fullDate(day)
  return (
    <h3 className="w-9 shrink-0 pt-4 text-center sm:w-12">
      <time dateTime={day} title={date} lang={lang}>
        <span aria-hidden className="block text-h2 leading-none text-muted tabular-nums">
          {Number(day.slice(8))}
        </span>
        {/* Some languages have no short names of weekdays. */}
        <span
          aria-hidden
          className="-mx-2 mt-1 block font-sans text-tiny font-medium tracking-normal whitespace-nowrap text-muted"
        >
          {weekday(day)}
        </span>
        <VisuallyHidden>{date}</VisuallyHidden>
      </time>
    </h3>
  )
}

function Row({ entry, onEdit }: { entry: Shown; onEdit: (() => void) | undefined }) {
  const { title } = entry
  const definition = kinds[title.kind]
  const note = 'text' in entry ? entry.text : ''
  const isAgain = entry.status === 'finished' && entry.isAgain
  return (
    <li
      data-kind={title.kind}
      className="flex min-h-20 flex-wrap items-center gap-3 border-b border-line py-2.5 last:border-none sm:gap-5"
    >
      <TitlePoster title={title} sizes="3rem" noImageText="" className="w-12! shrink-0 rounded-item!" />
      <div className="grid min-w-[min(100%,7rem)] flex-1 grid-cols-[minmax(0,1fr)] items-center gap-x-6 gap-y-1 md:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,5fr)]">
        <div className="min-w-0">
          <p className="line-clamp-2 text-label wrap-anywhere">
            <Link
              to={titlePath(definition, title.id)}
              className="inline-block py-0.5 wrap-anywhere hover:underline"
              aria-keyshortcuts={onEdit && 'E'}
              onKeyDown={(event) => {
                if (onEdit === undefined || event.key.toLowerCase() !== 'e') return
                if (event.ctrlKey || event.metaKey || event.altKey) return
                event.preventDefault()
                event.stopPropagation()
                onEdit()
              }}
            >
              <bdi>{title.name}</bdi>
            </Link>
          </p>
          <p className="flex items-baseline gap-1.5 text-meta text-muted">
            <KindDot kind={title.kind} />
            {[definition.words.one, title.releaseYear].filter(Boolean).join(' · ')}
          </p>
        </div>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-meta">
          {entry.rating === null ? null : <Stars value={entry.rating} />}{' '}
          {isAgain ? null : <span className="text-muted">{statusWord(definition, entry)}</span>}
          {entry.progress === null || isOver(entry.status) ? null : (
            <span className="text-muted tabular-nums">{reachedText(entry.progress)}</span>
          )}
        </p>
        {isAgain || note !== '' ? (
          <div className="min-w-0 text-meta text-muted">
            {isAgain ? (
              <p className="flex items-center gap-1.5 text-ink">
                <Repeat2 aria-hidden className="size-4 shrink-0" />
                {statusWord(definition, entry)}
              </p>
            ) : null}
            {note === '' ? null : (
              <p className="flex gap-1.5">
                <StickyNote aria-hidden className="mt-0.5 size-4 shrink-0" />
                <VisuallyHidden>Private note:</VisuallyHidden>{' '}
                <span dir="auto" className="line-clamp-2 min-w-0 wrap-anywhere">
                  {note}
                </span>
              </p>
            )}
          </div>
        ) : null}
      </div>
      {onEdit === undefined ? null : (
        <IconButton
          label={t`Edit the entry of ${title.name}`}
          aria-haspopup="dialog"
          tabIndex={-1}
          onPointerEnter={load}
          onClick={onEdit}
        >
          <Pencil aria-hidden />
        </IconButton>
      )}
    </li>
  )
}
