import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useId, useState } from 'react'
import { titlePath } from '#client/app/kinds.ts'
import { useRendered } from '#client/app/rendered.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { Button } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { useFormats } from '#client/ui/formats.ts'
import { KindDot } from '#client/ui/kind.tsx'
import { episodeTitle } from '#client/titles/part-name.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { t } from '#shared/domain/message.ts'
import { type CalendarEntry, entriesByDay } from './calendar-days.ts'
import { CalendarMark } from './calendar-mark.tsx'

/** Of the current month, the days before today wait behind a button. */
export function Agenda({
  entries,
  today,
  isCurrent,
}: {
  entries: readonly CalendarEntry[]
  today: string
  isCurrent: boolean
}) {
  const { count } = useFormats()
  const [isOpen, setOpen] = useState(false)
  const earlier = isCurrent ? entries.filter(({ date }) => date < today) : []
  const ahead = entries.slice(earlier.length)
  const shown = useRendered(isOpen ? entries : ahead)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {earlier.length === 0 || isOpen ? null : (
        <Button size="sm" className="justify-self-start" onClick={() => setOpen(true)}>
          {t`Earlier this month: ${count(earlier.length)}`}
        </Button>
      )}
      {ahead.length === 0 ? <p className="text-muted">Nothing is coming up in the next 30 days.</p> : null}
      {entriesByDay(shown).map(([day, ofDay]) => (
        <Day key={day} day={day} today={today} entries={ofDay} />
      ))}
    </div>
  )
}

export function Day({
  day,
  today,
  entries,
  className,
}: {
  day: string
  today: string
  entries: readonly CalendarEntry[]
  className?: string
}) {
  const headingId = useId()
  const { fullDate, lang } = useDates()
  return (
    <section
      aria-labelledby={headingId}
      className={clsx(
        'grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2 sm:grid-cols-[11rem_minmax(0,1fr)]',
        className,
      )}
    >
      <h3 id={headingId} className={clsx('text-label sm:pt-3', day < today && 'text-muted')}>
        {day === today ? <span className="me-2 font-display text-h3 text-accent">Today</span> : null}
        <time dateTime={day} lang={lang} suppressHydrationWarning>
          {fullDate(day)}
        </time>
      </h3>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {entries.map((entry) => (
          <Row key={entry.episode?.id ?? `title ${entry.title.id}`} entry={entry} />
        ))}
      </ul>
    </section>
  )
}

function Row({ entry }: { entry: CalendarEntry }) {
  const { clock, lang } = useDates()
  const { title, episode, airsAt, status } = entry
  const definition = kinds[title.kind]
  return (
    <li
      data-kind={title.kind}
      className="relative flex items-center gap-3.5 rounded-card border border-line bg-surface p-2.5 hover:border-edge"
    >
      <TitlePoster title={title} sizes="2.5rem" noImageText="" className="w-10! shrink-0 rounded-item!" />
      <div className="min-w-0 grow">
        <Link
          to={titlePath(definition, title.id)}
          dir="auto"
          className="block truncate text-label after:absolute after:inset-0 after:rounded-card"
        >
          <bdi>{title.name}</bdi>
        </Link>
        {episode === null ? null : (
          <p dir="auto" className="truncate text-meta">
            {episodeTitle(episode)}
          </p>
        )}
        <p className="flex flex-wrap items-center gap-x-2 text-meta text-muted">
          <KindDot kind={title.kind} />
          {episode === null ? t`Release` : definition.words.one}
          {airsAt === null ? null : (
            <time dateTime={airsAt} lang={lang} className="tabular-nums" suppressHydrationWarning>
              {clock(airsAt)}
            </time>
          )}
          {status === 'want' ? <span>On your want list</span> : null}
        </p>
      </div>
      <CalendarMark entry={entry} />
    </li>
  )
}
