import { useDates } from './dates.ts'

/** A moment (ISO) or a day (`2024-05-01`) as the reader writes it, with the full date as tooltip. */
export function Time({
  value,
  relative = false,
  className,
}: {
  value: string
  relative?: boolean | undefined
  className?: string | undefined
}) {
  const { lang, date, ago, fullDate, isAlive } = useDates()
  return (
    <time dateTime={value} lang={lang} title={fullDate(value)} className={className}>
      {relative && isAlive ? ago(value) : date(value)}
    </time>
  )
}
