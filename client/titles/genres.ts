import { isEnglish } from '#shared/domain/message.ts'

/** Replaced by the build: the genres of shared/texts/genres.ts in the language of the build. English has none, so its pages do not load them. */
const genres = '__m:genreMap__' as unknown as Record<string, string>

/** The name of a genre for readers. Links and filters have the stored one. */
export function genreText(name: string): string {
  return !isEnglish && Object.hasOwn(genres, name) ? genres[name]! : name
}
