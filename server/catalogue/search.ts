import type { Kind } from '#shared/media.ts'
import { foldWords } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { rankTypoMatches } from './rules.ts'
import { listTypoCandidates, searchTitles } from './store.ts'

/**
 * Searches the local catalogue. If nothing matches, returns the titles that the query means if a word has a typo, unless
 * `allowsTypo` is false.
 */
export async function findTitles(
  db: Db,
  {
    q,
    kind,
    limit,
    allowsTypo = true,
  }: { q: string; kind?: Kind | undefined; limit: number; allowsTypo?: boolean },
): Promise<number[]> {
  const ids = await searchTitles(db, { q, kind, limit })
  const words = foldWords(q)
  if (ids.length > 0 || words.length === 0 || !allowsTypo) return ids
  return rankTypoMatches(words, await listTypoCandidates(db, { words, kind }), limit)
}
