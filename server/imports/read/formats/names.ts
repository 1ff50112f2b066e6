import type { Kind } from '#shared/domain/kinds.ts'
import { fold } from '#server/db/fold.ts'
import { lineOf, namesOf, remembered } from './values.ts'

// Years, parts of a series, several authors.

/** Later years, as in `Cyberpunk – 2077`, are of names. */
const plainYearMax = 2035
const yearPattern = /(?<year>1[89]\d\d|20\d\d)/.source
const kindWord = '(?:film|movie|tv|series|show|mini-?series|book|novel|(?:video ?)?game)'
const bracketed = new RegExp(
  `\\s*[([](?:${kindWord},?\\s+)*${yearPattern}(?:\\s?[-–—]\\s?(?:\\d{4})?)?(?:\\s+${kindWord})*[)\\]]\\s*`,
  'gi',
)
const trailing = new RegExp(`^(?<name>.*[\\p{L}\\p{Nd}!?.…)’'”"])(?:\\s+[-–—]\\s+|,\\s+)${yearPattern}$`, 'u')

/** `Alien (1979)`, `Alien - 1979`, `Alien, 1979`; undefined without a year. Names of books may end in a year that is not theirs. */
export function splitYear(name: string, kind: Kind): { name: string; year: number } | undefined {
  if (!/\d{4}/.test(name)) return undefined
  const found = [...name.matchAll(bracketed)]
  if (found.length === 1) {
    const rest = lineOf(name.replace(bracketed, ' '))
    return rest === '' ? undefined : { name: rest, year: Number(found[0]!.groups!['year']) }
  }
  const { name: before, year } = (kind !== 'book' && trailing.exec(name)?.groups) || {}
  return before && Number(year) <= plainYearMax ? { name: before, year: Number(year) } : undefined
}

const seasonWords = fold(
  'staffel|saison|temporada|stagione|seizoen|sezon[ua]?|sasong|saeson|sesong|tuotantokausi|kausi|evad|serie|rada|сезон|シーズン|시즌',
)
const number = '(?:\\d{1,3}|[ivx]{1,5}|one|two|three|four|five|six|seven|eight|nine|ten)(?![\\p{L}\\d])'
const seasonOf = (words: string) =>
  `(?:${words})\\s?[.:#]?\\s?${number}|\\d{1,2}(?:\\.|st|nd|rd|th|ª|a|e|er|eme)?\\s?(?:${words})(?![\\p{L}\\d])`
/** Where names of movies may have the words too, as in `Open Season 2`, a sign stands before them. */
const seasonNames = new RegExp(
  [
    `\\S\\s?[:,(\\[|/–—-]\\s?(?:${seasonOf(`season|series|${seasonWords}`)})`,
    `\\S\\s(?:${seasonOf(seasonWords)})`,
    `\\S\\s?(?:第\\s?[\\d一二三四五六七八九十]+\\s?[季期])`,
    '\\S[\\s:,(\\[-]+s\\d\\d(?![\\p{L}\\d])',
  ].join('|'),
  'u',
)
const seasonOfShow = new RegExp(`\\S\\s(?:${seasonOf('season|series')})`, 'u')
const episodeNames = /\S[\s:,([-]+(?:s\d{1,3}\s?[ex.·]\s?e?\d{1,4}|\d{1,2}x\d{2,3})(?![\p{L}\d])/u
const episodeOfShow =
  /\S\s?[\s:,([–—-]\s?(?:episode|folge|episodio|aflevering|odcinek|серия|capitulo|ep\.?) ?#?\d{1,4}(?!\d)|第\s?\d+\s?[話话集]/u

/** `Show: Season 2`, `Show S02E05`; undefined if it is of a whole title. */
export function partInName(
  name: string,
  kind: Kind,
  isKindKnown: boolean,
): 'seasons' | 'episodes' | undefined {
  if (kind === 'book' || kind === 'game' || (kind === 'movie' && isKindKnown)) return undefined
  // Most names have neither a number nor one of the words, which are not all of ASCII.
  if (!/\d|[^\0-\x7f]|season|series|staffel|saison|temporada|stagione|seizoen|sezon|sesong|kausi/i.test(name))
    return undefined
  const folded = fold(name)
  if (episodeNames.test(folded) || (kind === 'tvShow' && episodeOfShow.test(folded))) return 'episodes'
  return seasonNames.test(folded) || (kind === 'tvShow' && seasonOfShow.test(folded)) ? 'seasons' : undefined
}

const isPart = ' ?(?:number|no|num|nr|n|index|id|title|name)?$'
const partColumns = {
  episodes: new RegExp(`^(?:episode|folge|ep|episodio|aflevering|odcinek)${isPart}`),
  seasons: new RegExp(`^(?:season|staffel|saison|temporada|stagione|seizoen|sezon)${isPart}`),
  volumes: new RegExp(`^(?:volume|vol|band|tome|tomo|chapter|issue)${isPart}`),
}
const partKinds: [RegExp, keyof typeof partColumns][] = [
  [/episode|folge|episodio/, 'episodes'],
  [/season|staffel|saison|temporada|stagione|seizoen/, 'seasons'],
  [/^(volume|chapter|issue)s?$/, 'volumes'],
]
const seriesColumn = /^(series|serie|series (name|title)|reihe)$/

/** `series` for the name of a series of books. */
const partOfColumn = remembered((column) => {
  const words = fold(column.slice(0, 100))
    .replace(/[^\p{L}\p{Nd}]+/gu, ' ')
    .trim()
  if (seriesColumn.test(words)) return 'series'
  return Object.entries(partColumns).find(([, pattern]) => pattern.test(words))?.[0]
})

/** Undefined if it is about a whole title. A book of a series has a name of its own. */
export function partOfRow(
  raw: Readonly<Record<string, string>>,
  kindWord: string,
  kind: Kind,
): string | undefined {
  const said = partKinds.find(([pattern]) => pattern.test(fold(kindWord.slice(0, 100))))
  if (said) return said[1]
  if (kind === 'game' || (kind === 'movie' && kindWord !== '')) return undefined
  const parts = new Set<string | undefined>()
  for (const column of Object.keys(raw)) {
    const part = partOfColumn(column)
    if (part && !/^(?:|[0.]+|-|none|null|nan|n\/a)$/i.test(raw[column]!.slice(0, 100).trim())) parts.add(part)
  }
  if (kind === 'book') return parts.has('volumes') && !parts.has('series') ? 'volumes' : undefined
  return parts.has('episodes') ? 'episodes' : parts.has('seasons') ? 'seasons' : undefined
}

const betweenAuthors = /[;|/&\n、]|\s(?:and|with|und|et|avec|mit|og|och)\s/iu
const suffix = /,\s*(jr|sr|i{2,3}|iv)\b\.?/gi

/** `Ann Example & Bo Other`, `Example, Ann; Other, Bo`, `Ann Example, Bo Other`. */
export function authorsOf(value: string): string[] {
  const given = value
    .slice(0, 4_000)
    .replace(/\([^()]*\)|\[[^[\]]*\]|^\s*by\s|\bet al\b\.?/gi, ' ')
    .replace(suffix, ' $1')
  const names = given.split(betweenAuthors, 20).flatMap((part) => namesWithCommas(part))
  return namesOf(names.join('\n'), '\n')
}

function namesWithCommas(part: string): string[] {
  const pieces = part
    .split(/[,，]/, 20)
    .map((piece) => piece.trim())
    .filter(Boolean)
  if (pieces.length < 2 || pieces.every(isFullName)) return pieces
  const isInverted =
    pieces.length === 2 ||
    (pieces.length % 2 === 0 && pieces.every((piece, at) => at % 2 > 0 || !/\s/.test(piece)))
  if (!isInverted) return pieces
  return pieces.flatMap((piece, at) => (at % 2 === 0 ? [`${pieces[at + 1]} ${piece}`] : []))
}

/** `J. Example` and `Ann Example`, but not `Ann`, `J. R.` and `Ann B.`. */
function isFullName(name: string): boolean {
  const words = name.split(/\s+/)
  const isInitial = (word: string) => /^\p{L}\.?(?:-?\p{L}\.)*$/u.test(word)
  const long = words.filter((word) => !isInitial(word)).length
  return words.length > 1 && (long > 1 || (long === 1 && isInitial(words[0]!)))
}
