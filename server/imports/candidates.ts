import { detailsOf } from '#server/titles/rules.ts'
import { listByAnyId } from '#server/titles/store.ts'
import type { FoundTitle } from '#server/titles/sources/source.ts'
import type { Db } from '#server/db/open.ts'
import type { CardRow } from '#server/db/tables.ts'
import { listByNameStarts, listByWords, listCatalogueTitles } from './catalogue-store.ts'
import type { Candidate, Match } from './match.ts'
import { joinSuggestions, matchByIds, matchByName, nameStartsOf, searchWordsOf } from './match.ts'
import { listImportKeys } from './store.ts'
import type { Title } from './titles.ts'

/** The maximum number of titles that a search by words compares. */
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

/** Looks titles up in the catalogue: by what the member chose before, by external ids, by names. Returns matches by the ids of the titles. */
export async function matchLocally(db: Db, userId: number, titles: readonly Title[]) {
  const keys = titles.map((title) => title.title_key)
  const chosen = new Map((await listImportKeys(db, userId, keys)).map((row) => [row.key, row.media_id]))
  const ids = titles.flatMap(({ plan }) => plan.ids.map(({ source, id }) => ({ source, external_id: id })))
  const owners = await listByAnyId(db, ids)
  const ownersOf = Map.groupBy(owners, ({ source, external_id }) => `${source} ${external_id}`)
  const starts = titles.flatMap(({ id, plan }) => nameStartsOf(plan).map((start) => ({ at: id, ...start })))
  const byName = Map.groupBy(await listByNameStarts(db, starts), ({ at }) => at)
  const known = new Map<number, Candidate>()
  const load = async (wanted: readonly number[]) => {
    const missing = wanted.filter((id) => !known.has(id))
    for (const row of await listCatalogueTitles(db, missing)) known.set(row.id, candidateOf(row))
  }
  const knownOf = (wanted: readonly number[]) => [...new Set(wanted)].flatMap((id) => known.get(id) ?? [])
  const named = [...byName.values()].flat().map(({ id }) => id)
  await load([...chosen.values(), ...owners.map((owner) => owner.media_id), ...named])
  const matches = new Map<number, Match>()
  for (const title of titles) matches.set(title.id, await matchOne(title))
  return matches

  async function matchOne({ id, title_key, plan }: Title): Promise<Match> {
    const choice = known.get(chosen.get(title_key) ?? 0)
    if (choice) return { certain: { ...choice, why: 'As you chose before' }, suggestions: [] }
    const own = plan.ids.flatMap((each) => ownersOf.get(`${each.source} ${each.id}`) ?? [])
    const byIds = matchByIds(
      plan,
      own.flatMap(({ source, media_id }) => knownOf([media_id]).map((candidate) => ({ source, candidate }))),
    )
    if (byIds.certain) return byIds
    const found = (byName.get(id) ?? []).map((start) => start.id)
    let match = matchByName(plan, knownOf(found))
    for (const words of searchWordsOf(plan)) {
      if (match.certain || match.suggestions.length > 0) break
      found.push(...(await listByWords(db, words, wordMatchesMax)))
      await load(found)
      match = matchByName(plan, knownOf(found))
    }
    // An id that belongs to a title of another name casts doubt on the name too.
    if (byIds.suggestions.length === 0) return match
    const names = match.certain ? [match.certain] : match.suggestions
    return { suggestions: joinSuggestions(names, byIds.suggestions) }
  }
}

/** Matches what a source returned for a title: by the ids of the file, then by names. */
export function matchFound(title: Title, found: readonly FoundTitle[]): Match {
  const candidates = found.map(foundCandidate)
  const owners = candidates.flatMap((candidate) =>
    candidate
      .found!.ids.filter(({ source, external_id }) =>
        title.plan.ids.some((id) => id.source === source && id.id === external_id),
      )
      .slice(0, 1)
      .map(({ source }) => ({ source, candidate })),
  )
  if (owners.length === 1) {
    const byIds = matchByIds(title.plan, owners)
    if (byIds.certain) return byIds
  }
  const byName = matchByName(title.plan, candidates)
  if (byName.certain) return byName
  const byIds = owners.map(({ candidate }) => ({ ...candidate, why: 'An id of the file belongs to it' }))
  return { suggestions: joinSuggestions(byName.suggestions, byIds) }
}
