import { givenText } from '#client/ui/formats.ts'
import { starsText } from '#client/ui/stars.tsx'
import type { Write } from '#shared/contracts/origins.ts'
import { originName } from '#shared/domain/import-formats.ts'

export const namesOfWritten: Record<Write['what'], string> = {
  review: 'Rating and review',
  entry: 'Diary entry',
  favorite: 'Favorite',
  listItem: 'Title of a list',
}

export function nameOfWriter({ service, fileName, id }: Write['by']): string {
  return fileName ?? `${originName(service)}${id === null ? ', an import that is deleted' : ''}`
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
    `${nameOfWriter(by)}, ${date(at)}`,
    first && [first.file, `line ${first.line}`].filter(Boolean).join(', '),
    more > 0 && `and ${more} more ${more === 1 ? 'line' : 'lines'}`,
    given && `in the file ${givenText(given)}`,
    before === null
      ? 'added'
      : before.rating !== undefined &&
        before.rating !== after.rating &&
        `before: ${starsText(before.rating)}`,
    !isCurrent && 'changed since',
  ]
    .filter(Boolean)
    .join(' · ')
}
