import type { Kind } from '#shared/domain/kinds.ts'
import { foldWords, termsOf } from '#server/db/fold.ts'
import { keepResult } from '#server/db/version.ts'
import { rankTypoMatches } from './rules.ts'
import { listTypoCandidates, searchTitles } from './search-store.ts'

type Search = { q: string; kind?: Kind | undefined; limit: number; allowsTypo?: boolean }

/** If nothing matches, finds titles for a word with a typo, unless `allowsTypo` is false. */
export const findTitles = keepResult(
  ({ q, kind, limit, allowsTypo = true }: Search) => `${kind} ${limit} ${allowsTypo} ${q}`,
  async (db, { q, kind, limit, allowsTypo = true }: Search): Promise<readonly number[]> => {
    const ids = await searchTitles(db, { q, kind, limit })
    const words = termsOf(foldWords(q))
    if (ids.length > 0 || words.length === 0 || !allowsTypo) return ids
    return rankTypoMatches(words, await listTypoCandidates(db, { words, kind }), limit)
  },
)
