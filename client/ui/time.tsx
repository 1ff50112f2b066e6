// Built once: a formatter costs more than a thousand uses of it. `undefined` is the reader's own locale.
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const plainDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })
const plainFull = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' })
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

const units = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000],
] as const

/** `2024-05-01` is that day everywhere, not midnight in London. A bare year and what is no date stay as they are. */
export function formatDate(value: string) {
  const date = new Date(value)
  if (/^\d{1,4}$/.test(value) || Number.isNaN(date.getTime())) return value
  return isPlain(value) ? plainDay.format(date) : day.format(date)
}

/** “3 hours ago”, “yesterday”; older than four weeks: the date. */
export function formatAgo(value: string, now = Date.now()) {
  const time = new Date(value).getTime()
  const passed = now - time
  if (Number.isNaN(time) || Math.abs(passed) >= 28 * 86_400_000) return formatDate(value)
  const [unit, ms] = units.findLast(([, size]) => Math.abs(passed) >= size) ?? ['second', 1000]
  return unit === 'second' ? ago.format(0, 'second') : ago.format(-Math.trunc(passed / ms), unit)
}

/** A moment (ISO) or a day (`2024-05-01`) in the reader's locale, with the full date as tooltip. */
export function Time({
  value,
  relative = false,
  className,
}: {
  value: string
  relative?: boolean | undefined
  className?: string | undefined
}) {
  const date = new Date(value)
  const title = Number.isNaN(date.getTime()) ? undefined : (isPlain(value) ? plainFull : full).format(date)
  return (
    <time dateTime={value} title={title} className={className}>
      {relative ? formatAgo(value) : formatDate(value)}
    </time>
  )
}

function isPlain(value: string) {
  return /^\d{4}-\d{2}-\d{2}$/.test(value)
}
