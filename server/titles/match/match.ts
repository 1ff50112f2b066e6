import { noteOf } from '#shared/texts/import-notes.ts'
import { detailsOf } from '#server/titles/rules.ts'
import { listByAnyId } from '#server/titles/external-ids-store.ts'
import { listCards } from '#server/titles/store.ts'
import type { FoundTitle, WantedTitle } from '#server/titles/sources/source.ts'
import type { Db } from '#server/db/open.ts'
import type { CardRow } from '#server/titles/tables.ts'
import {
  type Candidate,
  joinSuggestions,
  type Match,
  matchByIds,
  matchByName,
  nameStartsOf,
  searchWordsOf,
} from './compare.ts'
import { listByNameStarts, listByWords } from './match-store.ts'

const wordMatchesMax = 50

function candidateOf(row: CardRow): Candidate {
  const { id: mediaId, kind, name, release_year: year } = row
  const { creators, otherNames = [] } = detailsOf(row)
  return { mediaId, kind, name, otherNames, year, imageUrl: null, creators }
}

function foundCandidate(found: FoundTitle): Candidate {
  const { kind, name, otherNames = [], releaseDate, image: imageUrl, creators } = found
  const year = releaseDate ? Number(releaseDate.slice(0, 4)) : null
  return { mediaId: null, kind, name, otherNames, year, imageUrl, creators, found }
}

/** By external ids, then by names. `chosen` are earlier choices of the member. One match for each wanted title. */
export async function matchTitles(
  db: Db,
  wanted: readonly WantedTitle[],
  chosen: ReadonlyMap<WantedTitle, number> = new Map(),
): Promise<Match[]> {
  const ids = wanted.flatMap((each) => each.ids.map(({ source, id }) => ({ source, external_id: id })))
  const owners = await listByAnyId(db, ids)
  const ownersOf = Map.groupBy(owners, ({ source, external_id }) => `${source} ${external_id}`)
  const starts = wanted.flatMap((each, at) => nameStartsOf(each).map((start) => ({ at, ...start })))
  const byName = Map.groupBy(await listByNameStarts(db, starts), ({ at }) => at)
  const known = new Map<number, Candidate>()
  const load = async (given: readonly number[]) => {
    const missing = new Set(given.filter((id) => !known.has(id)))
    for (const row of await listCards(db, [...missing])) known.set(row.id, candidateOf(row))
  }
  const knownOf = (given: readonly number[]) => [...new Set(given)].flatMap((id) => known.get(id) ?? [])
  const named = [...byName.values()].flat().map(({ id }) => id)
  await load([...chosen.values(), ...owners.map((owner) => owner.media_id), ...named])
  const matches: Match[] = []
  for (const [at, each] of wanted.entries()) matches.push(await matchOne(each, at))
  return matches

  async function matchOne(one: WantedTitle, at: number): Promise<Match> {
    const choice = known.get(chosen.get(one) ?? 0)
    if (choice) return { certain: { ...choice, why: noteOf('chosenBefore') }, suggestions: [] }
    const own = one.ids.flatMap((each) => ownersOf.get(`${each.source} ${each.id}`) ?? [])
    const byIds = matchByIds(
      one,
      own.flatMap(({ source, media_id }) => knownOf([media_id]).map((candidate) => ({ source, candidate }))),
    )
    if (byIds.certain) return byIds
    const found = (byName.get(at) ?? []).map((start) => start.id)
    let match = matchByName(one, knownOf(found))
    for (const words of searchWordsOf(one)) {
      if (match.certain || match.suggestions.length > 0) break
      found.push(...(await listByWords(db, words, wordMatchesMax)))
      await load(found)
      match = matchByName(one, knownOf(found))
    }
    // An id that belongs to a title of another name casts doubt on the name too.
    if (byIds.suggestions.length === 0) return match
    const names = match.certain ? [match.certain] : match.suggestions
    return { suggestions: joinSuggestions(names, byIds.suggestions) }
  }
}

export function matchFound(wanted: WantedTitle, found: readonly FoundTitle[]): Match {
  const candidates = found.map(foundCandidate)
  const owners = candidates.flatMap((candidate) =>
    candidate
      .found!.ids.filter(({ source, external_id }) =>
        wanted.ids.some((id) => id.source === source && id.id === external_id),
      )
      .slice(0, 1)
      .map(({ source }) => ({ source, candidate })),
  )
  if (owners.length === 1) {
    const byIds = matchByIds(wanted, owners)
    if (byIds.certain) return byIds
  }
  const byName = matchByName(wanted, candidates)
  if (byName.certain) return byName
  const byIds = owners.map(({ candidate }) => ({ ...candidate, why: noteOf('idOfFile') }))
  return { suggestions: joinSuggestions(byName.suggestions, byIds) }
}
