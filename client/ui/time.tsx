import { useDates } from './dates.ts'

/** A timestamp (ISO) or a day (`2024-05-01`) in the user’s locale, with the full date as a tooltip. */
export function Time({
  value,
  relative = false,
  className,
}: {
  value: string
  relative?: boolean | undefined
  className?: string | undefined
}) {
  const { lang, date, ago, fullDate } = useDates()
  return (
    <time
      dateTime={value}
      lang={lang}
      title={fullDate(value)}
      className={className}
      // Node and browsers do not always have the same version of a language.
      suppressHydrationWarning
    >
      {relative ? ago(value) : date(value)}
    </time>
  )
}
