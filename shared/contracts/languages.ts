import { z } from 'zod'
import { languageCodes, titleNames } from '#shared/domain/languages.ts'

export const languageCode = z
  .enum(languageCodes as [string, ...string[]])
  .meta({ description: 'One of the `languages` of `GET /site`.', example: 'en' })

const fields = {
  language: languageCode.nullable().meta({
    description: 'The language of the app; null if the browser decides.',
    example: null,
  }),
  titles: z.enum(titleNames).meta({
    description:
      'Which names of titles the member reads: in the member’s language, in the language of the title, or in Latin letters.',
    example: 'local',
  }),
}

export const languageSettings = z.object(fields)

export const getLanguageSettings = { output: languageSettings }
export const changeLanguageSettings = {
  input: z.object(fields).partial(),
  output: languageSettings,
}
