import { searchText } from '#server/db/fold.ts'
import { yearOf } from './clean.ts'
import type { FoundTitle, WantedTitle } from './source.ts'

const candidatesMax = 5
const nameCharactersMax = 200

/** Returns at most 200 characters; none for a name without a letter or a digit. */
export function toQuery(name: string): string {
  const start = name.slice(0, 2 * nameCharactersMax).normalize('NFC')
  if (!/[\p{L}\p{Nd}]/u.test(start)) return ''
  const plain = start.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ').trim()
  return Array.from(plain).slice(0, nameCharactersMax).join('').trim()
}

/** `Dune (Dune, #1)`, `[Import]`. */
export function withoutBrackets(name: string): string {
  return name.slice(0, 2 * nameCharactersMax).replace(/\([^()]*\)|\[[^[\]]*\]/g, ' ')
}

export function idOf(wanted: WantedTitle, source: string, pattern: RegExp): string | undefined {
  return wanted.ids.find((each) => each.source === source && pattern.test(each.id))?.id
}

export function numericIdOf(wanted: WantedTitle, source: string): number | undefined {
  const id = idOf(wanted, source, /^[1-9]\d{0,14}$/)
  return id === undefined ? undefined : Number(id)
}

/** Ignores case, signs and a leading article. */
export function isNamed(title: FoundTitle, wanted: WantedTitle): boolean {
  const keys = keysOf(title)
  return namesOf(wanted).some((name) => keys.includes(plainKey(name)))
}

export function isExact(title: FoundTitle, wanted: WantedTitle): boolean {
  const hasYear = wanted.year !== null && wanted.year === yearOf(title.releaseDate)
  return hasYear && title.kind === wanted.kind && isNamed(title, wanted)
}

/** At most five, best first; equally good ones in the order of the source. */
export function rankCandidates(titles: readonly FoundTitle[], wanted: WantedTitle): FoundTitle[] {
  const keys = new Set(namesOf(wanted).map(plainKey))
  const authors = wanted.authors.slice(0, 10).map((author) => surnameOf(author))
  const score = (title: FoundTitle) => {
    const ownKeys = keysOf(title)
    const hasName = ownKeys.some((key) => keys.has(key))
    const beginsAlike = ownKeys.some((own) =>
      [...keys].some((key) => own.startsWith(`${key} `) || key.startsWith(`${own} `)),
    )
    const year = yearOf(title.releaseDate)
    const apart = wanted.year === null || year === null ? Infinity : Math.abs(wanted.year - year)
    const hasAuthor = title.creators.some((creator) => authors.includes(surnameOf(creator)))
    return (
      (hasName ? 8 : beginsAlike ? 4 : 0) +
      (hasAuthor ? 4 : 0) +
      (apart === 0 ? 3 : apart === 1 ? 2 : 0) +
      (title.kind === wanted.kind ? 1 : 0)
    )
  }
  return titles
    .map((title) => ({ title, points: score(title) }))
    .sort((a, b) => b.points - a.points)
    .slice(0, candidatesMax)
    .map(({ title }) => title)
}

export function surnameOf(author: string): string {
  const given = author.slice(0, nameCharactersMax)
  const [before = '', after] = given.split(',', 2)
  const words = searchText(after === undefined ? given : before).split(' ')
  return (
    words.findLast((word) => word.length > 1 && !/^(jr|sr|ii|iii|iv|phd|md)$/.test(word)) ??
    words.at(-1) ??
    ''
  )
}

function namesOf({ name, otherNames }: WantedTitle): string[] {
  return [name, ...otherNames.slice(0, 10)]
}

function keysOf({ name, otherNames = [] }: FoundTitle): string[] {
  return [name, ...otherNames].map(plainKey).filter(Boolean)
}

function plainKey(name: string): string {
  return searchText(withoutBrackets(name).replace(/&/g, ' and ')).replace(/^(the|a|an) (?=.)/, '')
}
