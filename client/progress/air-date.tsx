import { Time } from '#client/ui/time.tsx'
import { useDates } from '#client/ui/dates.ts'
import type { ShownEpisode } from '#shared/contracts/progress.ts'
import { plural, t } from '#shared/domain/message.ts'

/** “4 May 2026 · 42 minutes”. */
export function AirDate({
  episode: { airDate, isAired, runtime },
  className,
}: {
  episode: Pick<ShownEpisode, 'airDate' | 'isAired' | 'runtime'>
  className?: string | undefined
}) {
  const day = airDate === null ? null : <Day value={airDate} />
  const length = runtime === null ? null : plural(runtime, { one: '# minute', other: '# minutes' })
  const date = isAired ? day : day === null ? t`No date yet` : <span>Airs {day}</span>
  if (date === null && length === null) return null
  return (
    <p className={className}>
      {date}
      {date !== null && length !== null ? ' · ' : null}
      {length}
    </p>
  )
}

function Day({ value }: { value: string }) {
  const { lang, release } = useDates()
  if (value.length === 10) return <Time value={value} />
  return (
    <time dateTime={value} lang={lang}>
      {release(value)}
    </time>
  )
}
