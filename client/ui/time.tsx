import { useDates } from './dates.ts'

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
      // Node and browsers may have different versions of a language.
      suppressHydrationWarning
    >
      {relative ? ago(value) : date(value)}
    </time>
  )
}
