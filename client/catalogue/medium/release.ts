/** The precision of a date that a source knows: the day, the month, or only the year. */
const shapes: [RegExp, Intl.DateTimeFormatOptions][] = [
  [/^\d{4}-\d{2}-\d{2}$/, { dateStyle: 'long' }],
  [/^\d{4}-\d{2}$/, { month: 'long', year: 'numeric' }],
]

/** Writes a release date in a locale (the reader's own by default), no more exactly than it is known. */
export function releaseFormat(locale?: string): (release: string) => string {
  // In UTC, or whoever lives west of London reads the day before.
  const formats = shapes.map(
    ([shape, options]) => [shape, new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })] as const,
  )
  return (release) => {
    const format = formats.find(([shape]) => shape.test(release))?.[1]
    const date = new Date(release)
    return format === undefined || Number.isNaN(date.getTime()) ? release : format.format(date)
  }
}

export const formatRelease = releaseFormat()
