import { noteOf } from '#shared/texts/import-notes.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import type { FoundTitle, WantedTitle } from '#server/titles/sources/source.ts'
import { authorKey, isSameAuthor, matchKey } from './keys.ts'

export type Candidate = {
  mediaId: number | null
  kind: Kind
  name: string
  otherNames: readonly string[]
  year: number | null
  /** Null for titles of the catalogue: their pictures are read when they are shown. */
  imageUrl: string | null
  creators: readonly string[]
  found?: FoundTitle
}
export type Suggestion = Candidate & { why: string }
export type Match = { certain?: Suggestion; suggestions: Suggestion[] }

const suggestionsMax = 5

/** Ids of files may be wrong, so that a name or, except for an ISBN, the year has to agree. */
export function matchByIds(
  wanted: WantedTitle,
  owners: readonly { source: string; candidate: Candidate }[],
): Match {
  const distinct = [...new Map(owners.map((owner) => [owner.candidate.mediaId, owner])).values()]
  const agrees = ({ source, candidate }: (typeof owners)[number]) =>
    (source !== 'isbn13' && wanted.year !== null && wanted.year === candidate.year) ||
    sharesWord(namesOf(wanted), namesOf(candidate))
  const suggestions = distinct.map((owner) => {
    const why = noteOf(agrees(owner) ? 'byId' : 'idOfOther', owner.source)
    return { ...owner.candidate, why }
  })
  if (distinct.length === 1 && agrees(distinct[0]!)) return { certain: suggestions[0]!, suggestions: [] }
  return { suggestions: suggestions.slice(0, suggestionsMax) }
}

/** Compares years too, or the authors of books. The order of `candidates` does not matter. */
export function matchByName(wanted: WantedTitle, candidates: readonly Candidate[]): Match {
  const graded = candidates
    .flatMap((candidate) => {
      const grade = gradeOf(wanted, candidate)
      return grade ? [{ candidate, ...grade }] : []
    })
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        yearsApart(wanted, a.candidate) - yearsApart(wanted, b.candidate) ||
        (a.candidate.mediaId ?? Infinity) - (b.candidate.mediaId ?? Infinity) ||
        (a.candidate.name < b.candidate.name ? -1 : 1),
    )
  const [first, second] = graded
  if (first?.rank === 0 && second?.rank !== 0 && !wanted.isNamesake) {
    const why = noteOf(wanted.kind === 'book' ? 'byAuthor' : 'byYear')
    return { certain: { ...first.candidate, why }, suggestions: [] }
  }
  const oneOfMany = noteOf(wanted.isNamesake ? 'severalInFile' : 'severalHere')
  const best = graded.slice(0, suggestionsMax)
  return {
    suggestions: best.map(({ candidate, rank, why }) => ({ ...candidate, why: rank > 0 ? why : oneOfMany })),
  }
}

export function joinSuggestions(...lists: readonly (readonly Suggestion[])[]): Suggestion[] {
  const keyOf = ({ mediaId, found }: Suggestion) =>
    mediaId ?? found?.ids.map((id) => `${id.source} ${id.external_id}`).join() ?? ''
  return [...new Map(lists.flat().map((each) => [keyOf(each), each])).values()].slice(0, suggestionsMax)
}

const screens: readonly Kind[] = ['movie', 'tvShow']
type Grade = { rank: 0 | 1 | 2 | 3; why: string }

/** Rank 0: certain unless another title has it too. */
function gradeOf(wanted: WantedTitle, candidate: Candidate): Grade | undefined {
  const isSameKind = wanted.kind === candidate.kind
  if (!isSameKind && !(screens.includes(wanted.kind) && screens.includes(candidate.kind))) return undefined
  const relation = relationOf(wanted, candidate)
  if (!relation) return undefined
  if (!isSameKind) {
    if (relation !== 'equal' || wanted.year === null || wanted.year !== candidate.year) return undefined
    return { rank: 3, why: noteOf('otherKind', candidate.kind) }
  }
  return wanted.kind === 'book'
    ? gradeBook(wanted, candidate, relation)
    : gradeDated(wanted, candidate, relation)
}

function gradeBook(wanted: WantedTitle, candidate: Candidate, relation: Relation): Grade | undefined {
  const authors = wanted.authors.filter((author) => authorKey(author) !== '')
  const creators = candidate.creators.filter((creator) => authorKey(creator) !== '')
  if (authors.length === 0 || creators.length === 0)
    return relation === 'equal' ? { rank: 2, why: noteOf('noAuthor') } : undefined
  if (!authors.some((author) => creators.some((creator) => isSameAuthor(author, creator)))) return undefined
  if (relation === 'equal') return { rank: 0, why: '' }
  return relation === 'begins' ? { rank: 2, why: noteOf('begins') } : { rank: 1, why: noteOf(relation) }
}

function gradeDated(wanted: WantedTitle, candidate: Candidate, relation: Relation): Grade | undefined {
  const apart = yearsApart(wanted, candidate)
  if (relation === 'equal') {
    if (wanted.year === null) return { rank: 1, why: noteOf('noYear') }
    if (candidate.year === null) return { rank: 1, why: noteOf('noYearHere') }
    if (apart === 0) return { rank: 0, why: '' }
    return apart === 1 ? { rank: 1, why: noteOf('yearApart') } : undefined
  }
  if (apart > 1) return undefined
  if (relation === 'begins') return apart === 0 ? { rank: 2, why: noteOf('begins') } : undefined
  return { rank: apart === 0 ? 1 : 2, why: noteOf(apart === 0 ? relation : `${relation}YearApart`) }
}

type Relation = 'equal' | 'otherName' | 'subtitle' | 'begins'
const volume =
  /^(?:(?:the )?(?:season|staffel|saison|temporada|stagione|series|s|vol|volume|book|band|tome|part|teil|episode|chapter|issue) )?(?:\d+|[ivx]+|one|two|three|four|five|six)(?: |$)/
const restOf = (longer: string, start: string) =>
  longer.startsWith(`${start} `) ? longer.slice(start.length + 1) : undefined

function relationOf(wanted: WantedTitle, candidate: Candidate): Relation | undefined {
  const key = fullKey(wanted.name)
  const other = fullKey(candidate.name)
  if (key === '' || other === '') return undefined
  if (key === other) return 'equal'
  const theirs = new Set(namesOf(candidate).map(fullKey))
  if (namesOf(wanted).some((name) => fullKey(name) !== '' && theirs.has(fullKey(name)))) return 'otherName'
  const [short, otherShort] = [matchKey(wanted.name, 'book'), matchKey(candidate.name, 'book')]
  const rest = restOf(key, other) ?? restOf(other, key)
  // A volume is not its series, and a sequel not the first.
  if (rest !== undefined && volume.test(rest)) return undefined
  if (short !== '' && short === otherShort) return 'subtitle'
  return rest === undefined ? undefined : 'begins'
}

/** With the subtitle, which only the keys of books leave out. */
function fullKey(name: string): string {
  return matchKey(name, 'book', { keepsSubtitle: true })
}

const namesOf = ({ name, otherNames }: Pick<Candidate, 'name' | 'otherNames'>) => [name, ...otherNames]

function yearsApart(wanted: WantedTitle, { year }: Candidate): number {
  return wanted.year === null || year === null ? Infinity : Math.abs(wanted.year - year)
}

const commonWords = new Set('a an and at by for from in of on or the to with'.split(' '))

function sharesWord(names: readonly string[], others: readonly string[]): boolean {
  const words = new Set(others.flatMap(tellingWords))
  return names.flatMap(tellingWords).some((word) => words.has(word))
}

function tellingWords(name: string): string[] {
  const words = fullKey(name).split(' ').filter(Boolean)
  const telling = words.filter((word) => !commonWords.has(word))
  return telling.length > 0 ? telling : words
}

/** All words with the first author; fewer, and with the other authors, if none match. */
export function searchWordsOf({ name, kind, authors }: WantedTitle): string[][] {
  const words = matchKey(name, kind)
    .split(' ')
    .filter((word) => word !== '' && word !== 'and')
  if (words.length === 0) return []
  const [first = [], ...others] =
    kind === 'book' ? authors.slice(0, 3).map((author) => [authorKey(author)].filter(Boolean)) : []
  const all = (author: readonly string[]) => [...words.slice(0, 7), ...author]
  return [
    all(first),
    ...(words.length > 2 ? [[...words.slice(0, 2), ...first]] : []),
    ...others.filter((author) => author.length > 0).map(all),
  ]
}

/** Folded, with years, as titles of the same name are indexed; empty for books, whose years differ by edition, and without a year. */
export function nameStartsOf({ name, kind, year }: WantedTitle): { year: number; start: string }[] {
  if (kind === 'book' || year === null) return []
  const words = matchKey(name, kind).split(' ')
  const and = words.indexOf('and')
  const start = words.slice(0, and > 0 ? Math.min(and, 3) : 3).join(' ')
  if (start === '' || start === 'and') return []
  return [year - 1, year, year + 1].flatMap((each) =>
    ['', 'the ', 'a ', 'an '].map((article) => ({ year: each, start: `${article}${start}` })),
  )
}
