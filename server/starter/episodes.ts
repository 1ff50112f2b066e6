import { dayMs } from '#shared/domain/days.ts'
import type { FoundPart } from '#server/titles/sources/source.ts'
import { readData, type StarterShow } from './schema.ts'

let shows: Record<string, StarterShow> | undefined

/** The seasons of a show with their episodes; undefined if the catalogue has none. */
export function seasonsOf(slug: string): FoundPart[] | undefined {
  shows ??= readData('episodes', 'episodes.json').shows
  const show = shows[slug]
  return show?.seasons.map((aired, index) => {
    const days = aired.split(', ').flatMap(daysOf)
    return {
      ...blank,
      type: 'season',
      number: index + 1,
      releaseDate: days[0] ?? null,
      parts: days.map((releaseDate, at) => ({
        ...blank,
        type: 'episode',
        number: at + 1,
        name: show.names?.[index]?.[at] ?? null,
        releaseDate,
      })),
    }
  })
}

const blank = { name: null, runtime: null, ids: [] }

/** `3 from 2011-12-04 to 2011-12-18`. If the span is one week for each further episode, the days between are known too. */
function daysOf(run: string): (string | null)[] {
  const [, digits, only, first = only, last = first] =
    /^(\d+)(?: on (\S+))?(?: from (\S+) to (\S+))?$/.exec(run) ?? []
  const count = Number(digits)
  if (!first || !last) return Array<null>(count).fill(null)
  const from = Date.parse(first)
  const gap = count > 1 ? (Date.parse(last) - from) / (count - 1) : 0
  const isKnown = gap === 0 || gap === 7 * dayMs
  return Array.from({ length: count }, (_, at) => {
    if (isKnown) return new Date(from + at * gap).toISOString().slice(0, 10)
    return at === 0 ? first : at === count - 1 ? last : null
  })
}
