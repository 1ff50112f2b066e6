import type { Db } from '#server/db/open.ts'
import { foldWords, termsOf } from '#server/db/fold.ts'
import { pagesOf } from '#server/export/part.ts'
import { selectSearchTexts, type TitleFilter } from './titles-store.ts'

/** A search compares the first letters of a word only: each more takes longer in names that repeat the word. */
const termLettersMax = 32

/** Returns what a search for words looks for; an empty list if it finds all titles. */
export function wordsOf(query = ''): string[] {
  return termsOf(foldWords(query)).map((word) => word.slice(0, termLettersMax))
}

/** Returns the ids of the titles of an import whose names and authors contain all words, in the order of the file. */
export async function searchTitles(
  db: Db,
  importId: number,
  filter: TitleFilter,
  words: readonly string[],
): Promise<number[]> {
  const ids: number[] = []
  for await (const titles of pagesOf(selectSearchTexts(db, importId, filter), ['id']))
    for (const { id, search_text } of titles)
      if (words.every((word) => search_text.includes(word))) ids.push(id)
  return ids
}
