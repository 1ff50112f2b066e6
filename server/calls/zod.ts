import { z } from 'zod'
import type { Described, Translator } from '#server/text/translator.ts'

type Issue = z.core.$ZodIssue
type TextOf = (issue: Issue) => string

const inEnglish = textsOf('en')!

/** Before any procedure is created. Messages without a text of their own start with the path of the field. */
export function configureZod(): void {
  z.config({ customError: (issue) => withPath(issue, inEnglish) })
}

/** Texts of zod are in the languages that zod has; texts of our own are in the catalogues. */
export function describeIssue(issue: Issue, texts: Translator): Described {
  const complete = { ...issue, input: exampleOf(issue) } as Issue
  if (issue.message !== withPath(complete, inEnglish)) return texts.describe(issue.message)
  const text = withPath(complete, textsOf(texts.language) ?? inEnglish)
  return { key: issue.message, values: {}, text }
}

function withPath(issue: Pick<Issue, 'path'> | z.core.$ZodRawIssue, textOf: TextOf): string {
  const text = textOf(issue as Issue)
  return issue.path?.length ? `${issue.path.join('.')}: ${text}` : text
}

function textsOf(language: string): TextOf | undefined {
  const name = language.replace('-', '')
  if (!Object.hasOwn(z.locales, name)) return undefined
  const { localeError } = z.locales[name as 'en']()
  return (issue) => {
    const error = localeError(issue as never)
    return (typeof error === 'string' ? error : error?.message) ?? ''
  }
}

/** Issues do not keep the input, of which messages name the type. */
const examples: Record<string, unknown> = {
  null: null,
  string: '',
  number: 0,
  NaN,
  boolean: true,
  array: [],
  object: {},
  Date: new Date(0),
}

function exampleOf({ code, message }: Issue): unknown {
  if (code !== 'invalid_type') return undefined
  return examples[/ received (\w+)$/.exec(message)?.[1] ?? '']
}
