import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useState } from 'react'
import { titlePath } from '#client/app/kinds.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { useDates } from '#client/ui/dates.ts'
import { useFormats, useLocales } from '#client/ui/formats.ts'
import { KindDot } from '#client/ui/kind.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import { plural, t } from '#shared/domain/message.ts'
import { Day } from './calendar-agenda.tsx'
import { byTitle, type CalendarEntry, firstWeekday, monthOf, weeksOf } from './calendar-days.ts'
import { CalendarMark, Watched } from './calendar-mark.tsx'
import { episodeCode } from '#client/titles/episode-code.ts'

const shownTitles = 3
const shownDots = 3

/** The day that is pressed is below the weeks. On a phone, one is always there: a square has no room for names. */
export function MonthView({
  entries,
  month,
  today,
}: {
  entries: readonly CalendarEntry[]
  month: string
  today: string
}) {
  const { release, fullDate, weekday, lang } = useDates()
  const [locale] = useLocales()
  const [pressed, setPressed] = useState<string>()
  const ofMonth = entries.filter(({ date }) => monthOf(date) === month)
  const days = Map.groupBy(ofMonth, ({ date }) => date)
  const weeks = weeksOf(month, firstWeekday(locale ?? 'en'))
  const weekdays = weeks[1]!.map((day) => day!)
  const day =
    pressed ?? (days.has(today) ? today : (ofMonth.find(({ date }) => date > today) ?? ofMonth[0])?.date)
  return (
    <>
      <table aria-label={release(month)} className="w-full table-fixed border-separate border-spacing-0">
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th
                key={name}
                scope="col"
                lang={lang}
                className="overflow-hidden pb-2 text-center text-meta font-semibold text-muted sm:ps-2 sm:text-start"
                suppressHydrationWarning
              >
                {weekday(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((date, at) =>
                date === null ? (
                  // oxlint-disable-next-line react/no-array-index-key, jsx-a11y/control-has-associated-label -- outside of the month
                  <td key={at} className="border-t border-line" />
                ) : (
                  <td key={date} className="h-14 border-t border-line p-0 align-top sm:h-30">
                    <Square
                      date={date}
                      name={fullDate(date) ?? date}
                      entries={days.get(date) ?? none}
                      isToday={date === today}
                      isPressed={date === day}
                      onPress={() => setPressed(date)}
                    />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <div aria-live="polite" className={clsx('mt-6', pressed === undefined && 'sm:hidden')}>
        {day === undefined ? null : <Day day={day} today={today} entries={days.get(day) ?? none} />}
      </div>
    </>
  )
}

const none: never[] = []

function Square({
  date,
  name,
  entries,
  isToday,
  isPressed,
  onPress,
}: {
  date: string
  name: string
  entries: readonly CalendarEntry[]
  isToday: boolean
  isPressed: boolean
  onPress: () => void
}) {
  const { count } = useFormats()
  const titles = byTitle(entries)
  const number = (
    <span
      className={clsx(
        'grid size-7 place-items-center rounded-full text-meta tabular-nums',
        isToday ? 'bg-ink font-semibold text-bg' : entries.length === 0 && 'text-muted',
      )}
    >
      {count(Number(date.slice(8)))}
    </span>
  )
  if (titles.length === 0)
    return (
      <time
        dateTime={date}
        aria-current={isToday ? 'date' : undefined}
        className="grid justify-center p-1 sm:justify-start"
      >
        {number}
      </time>
    )
  const more = titles.length - shownTitles
  const summary = plural(titles.length, { one: `${name}: # title`, other: `${name}: # titles` })
  return (
    <>
      <button
        type="button"
        aria-label={summary}
        aria-current={isToday ? 'date' : undefined}
        aria-pressed={isPressed}
        onClick={onPress}
        className="grid h-14 w-full justify-items-center gap-1 rounded-field p-1 hover:bg-raised aria-pressed:bg-raised sm:hidden"
      >
        {number}
        <span aria-hidden className="flex items-center gap-0.5">
          {titles.slice(0, shownDots).map((ofTitle) => (
            <span
              key={ofTitle[0]!.title.id}
              className={clsx('flex', ofTitle.every(({ isPlayed }) => isPlayed) && 'opacity-40')}
            >
              <KindDot kind={ofTitle[0]!.title.kind} />
            </span>
          ))}
          {titles.length > shownDots ? <span className="text-tiny leading-none text-muted">+</span> : null}
        </span>
      </button>
      <div className="p-1 max-sm:hidden">
        <h3 className="font-sans text-meta font-normal tracking-normal">
          <span aria-hidden>{number}</span>
          <VisuallyHidden>{name}</VisuallyHidden>
        </h3>
        <ul className="mt-0.5 grid grid-cols-[minmax(0,1fr)] gap-1">
          {titles.slice(0, shownTitles).map((ofTitle) => (
            <OfTitle key={ofTitle[0]!.title.id} entries={ofTitle} />
          ))}
        </ul>
        {more > 0 ? (
          <button
            type="button"
            aria-pressed={isPressed}
            onClick={onPress}
            className="mt-1 min-h-6 rounded-item px-1 text-tiny font-semibold text-muted hover:text-ink"
          >
            {plural(more, { one: '# more', other: '# more' })}
          </button>
        ) : null}
      </div>
    </>
  )
}

function OfTitle({ entries }: { entries: readonly CalendarEntry[] }) {
  const [first] = entries as [CalendarEntry]
  const count = entries.length
  const { title, episode } = first
  return (
    <li
      data-kind={title.kind}
      className="relative flex items-center gap-1.5 rounded-item p-0.5 hover:bg-raised"
    >
      <TitlePoster title={title} sizes="1.75rem" noImageText="" className="w-7! shrink-0 rounded-bar!" />
      <div className="min-w-0 grow text-tiny">
        <Link
          to={titlePath(kinds[title.kind], title.id)}
          dir="auto"
          title={title.name}
          className="block truncate font-semibold after:absolute after:inset-0 after:rounded-item"
        >
          <bdi>{title.name}</bdi>
        </Link>
        <p className="truncate text-muted">
          {episode === null
            ? t`Release`
            : count > 1
              ? plural(count, { one: '# episode', other: '# episodes' })
              : episodeCode(episode)}
        </p>
      </div>
      {count === 1 ? (
        <CalendarMark entry={first} size="sm" />
      ) : entries.every(({ isPlayed }) => isPlayed) ? (
        <Watched size="sm" />
      ) : null}
    </li>
  )
}
