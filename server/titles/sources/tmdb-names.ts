import { z } from 'zod'
import { type DescribedName, describedLanguages, languageCodeOf } from '#shared/domain/title-names.ts'
import { listOf, maybe, toTitleNames } from './clean.ts'

const text = maybe(z.string())
const alternatives = listOf(z.object({ title: text, type: text }))

/** Movies have titles, shows have names. Only the details of one title have the last two. */
export const namedEntry = z.object({
  title: text,
  name: text,
  original_title: text,
  original_name: text,
  original_language: text,
  translations: maybe(
    z.object({
      translations: listOf(
        z.object({
          iso_639_1: text,
          iso_3166_1: text,
          data: maybe(z.object({ title: text, name: text, overview: text, tagline: text })),
        }),
      ),
    }),
  ),
  /** `titles` of a movie, `results` of a show. Their type is free text. */
  alternative_titles: maybe(z.object({ titles: alternatives, results: alternatives })),
})

/** Undefined if TMDB was not asked. */
export function namesOf(found: z.infer<typeof namedEntry>): DescribedName[] | undefined {
  const { translations, alternative_titles } = found
  if (!translations && !alternative_titles) return undefined
  const original = found.original_title ?? found.original_name
  const originalLanguage = languageCodeOf(found.original_language)
  const locals = (translations?.translations ?? [])
    .map(({ iso_639_1, iso_3166_1, data }) => ({
      kind: 'local' as const,
      language: languageCodeOf(iso_639_1, iso_3166_1),
      // Blank if it is the original name.
      name: data?.title || data?.name,
      overview: data?.overview,
      tagline: data?.tagline,
    }))
    .filter(({ language }) => language !== '')
  const [main, others] = [true, false].map((isMain) =>
    locals.filter(({ language }) => describedLanguages.includes(language) === isMain),
  )
  const alternative = [...(alternative_titles?.titles ?? []), ...(alternative_titles?.results ?? [])]
  const named = (kind: 'original' | 'romanised' | 'other', language: string, name: string | undefined) => ({
    kind,
    language,
    name,
  })
  return toTitleNames([
    ...(original === (found.title ?? found.name) ? [] : [named('original', originalLanguage, original)]),
    ...alternative.filter(isRomanised).map(({ title }) => named('romanised', originalLanguage, title)),
    ...main!,
    ...others!,
    ...alternative.filter((each) => !isRomanised(each)).map(({ title }) => named('other', '', title)),
  ])
}

function isRomanised({ type }: { type?: string | undefined }): boolean {
  return /\broma(?:ji|ni[sz])/i.test(type ?? '')
}
