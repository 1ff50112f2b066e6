import type { ImportOptions } from '#shared/imports.ts'
import type { Kind } from '#shared/media.ts'
import { searchText } from '#server/db/fold.ts'
import type { Reading, TitlePlan } from './formats/reading.ts'

export function nameKey(name: string, kind: Kind): string {
  const bare = name
    .replace(/\s*\([^()]*#\d+\)/g, '')
    .replace(/\s*\(\d{4}\)/g, '')
    .replaceAll('&', ' and ')
  const key = searchText(kind === 'book' ? bare.split(':')[0]! : bare)
  return key.replace(/^(the|a|an) (?=.)/, '')
}

export function authorKey(author: string): string {
  return searchText(author).split(' ').at(-1) ?? ''
}

export function titleKeyOf(reading: Reading): string {
  const [id] = reading.ids
  return id
    ? `${id.source}:${id.id}`
    : `${reading.kind}:${nameKey(reading.name, reading.kind)}:${reading.year ?? ''}`
}

export function starsOf(given: string, halves: 'up' | 'down'): { stars: number; isHalf: boolean } {
  const [value, scale] = given.split('/').map(Number) as [number, number]
  const exact = (value * 5) / scale
  const isHalf = exact % 1 === 0.5
  return { stars: Math.max(1, isHalf && halves === 'down' ? Math.floor(exact) : Math.round(exact)), isHalf }
}

export function planTitle(readings: readonly Reading[], options: ImportOptions, _now: Date): TitlePlan {
  const first = readings[0]!
  const rated = readings.find((reading) => reading.rating)?.rating
  return {
    kind: first.kind,
    name: first.name,
    otherNames: first.otherNames,
    year: first.year,
    authors: first.authors,
    ids: first.ids,
    rating: rated
      ? {
          given: rated.given,
          ...starsOf(rated.given, options.halves),
          ratedAt: rated.on && `${rated.on}T12:00:00.000Z`,
        }
      : null,
    review: null,
    isTextWithoutRating: false,
    entries: readings.flatMap((reading) => reading.entries),
    isFavorite: readings.some((reading) => reading.isFavorite),
    notes: readings.flatMap((reading) => reading.notes),
  }
}
