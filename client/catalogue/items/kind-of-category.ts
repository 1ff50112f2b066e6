import { allKinds, type Kind } from '#shared/media.ts'

/** An item tells its kind by a word for people. */
export function kindOfCategory(category: string): Kind {
  return allKinds.find(({ words }) => words.category === category)?.kind ?? 'movie'
}
