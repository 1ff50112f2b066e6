import { commaList, givenText } from '#client/ui/formats.ts'
import { starsText } from '#client/ui/stars.tsx'
import type { Write } from '#shared/contracts/origins.ts'
import { originName } from '#shared/domain/import-formats.ts'
import { plural, t } from '#shared/domain/message.ts'

export const namesOfWritten: Record<Write['what'], string> = {
  review: t`Rating and review`,
  entry: t`Diary entry`,
  favorite: t`Favorite`,
  listItem: t`Title of a list`,
}

export function nameOfWriter({ service, fileName, id }: Write['by']): string {
  return (
    fileName ?? (id === null ? t`${originName(service)}, an import that is deleted` : originName(service))
  )
}

/** “letterboxd-maria.zip, 12 May 2026 · ratings.csv, line 14 · in the file 4½ of 5 · before: 4 stars” */
export function textOfWrite(
  { by, at, lines, before, after, isCurrent }: Write,
  date: (at: string) => string,
) {
  const first = lines.find(({ given }) => given !== null) ?? lines[0]
  const given = first?.given ?? (by.type === 'originals' ? after.ratingGiven : undefined)
  const more = lines.length - 1
  return [
    commaList([nameOfWriter(by), date(at)]),
    first && (first.file === '' ? t`line ${first.line}` : t`${first.file}, line ${first.line}`),
    more > 0 && plural(more, { one: 'and # more line', other: 'and # more lines' }),
    given && t`in the file ${givenText(given)}`,
    before === null
      ? t`added`
      : before.rating !== undefined &&
        before.rating !== after.rating &&
        t`before: ${starsText(before.rating)}`,
    !isCurrent && t`changed since`,
  ]
    .filter(Boolean)
    .join(' · ')
}
