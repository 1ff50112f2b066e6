import { z } from 'zod'
import * as limits from '#shared/domain/limits.ts'
import { kindNames } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { isUsername } from '#shared/domain/usernames.ts'

// The content security policy forbids eval, and would report a violation when zod probes for it.
if ('document' in globalThis) z.config({ jitless: true })

/** A positive integer that JSON can hold exactly. */
export const id = z.int().positive().meta({ description: 'A positive integer.', example: 12 })

export const time = z.string().meta({ format: 'date-time', example: '2026-05-04T12:30:00.000Z' })

/**
 * Normalization sorts each run of combining marks in quadratic time. UAX #15 (Stream-Safe Text Format) has the same limit, which no
 * language reaches.
 */
const marksMax = 30
const unitsPerLetter = 6

export function isNormalizable(text: string): boolean {
  // By whole runs: /\p{M}{31}/u would start over at each mark.
  for (const [run] of text.matchAll(/\p{M}+/gu))
    if (run.length > marksMax && Array.from(run).length > marksMax) return false
  return true
}

/** Refuses text far longer than `max` code points before any expensive step. The schema built on it cleans the text and checks the exact maximum. */
export function bounded(max: number, tooLong?: string) {
  return z.string().check(({ value, issues }) => {
    if (value.length <= unitsPerLetter * max || value.trim().length <= unitsPerLetter * max) return
    issues.push({
      code: 'too_big',
      origin: 'string',
      maximum: max,
      inclusive: true,
      input: value,
      // Later steps must not run, not even with a `when` condition.
      continue: false,
      ...(tooLong !== undefined && { message: tooLong }),
    })
  })
}

/** Applies `clean`, refuses too many combining marks, normalizes to NFC and trims. */
function normalized(
  max: number,
  { clean, tooLong, tooManyMarks = messages.tooManyMarks }: NormalizedOptions = {},
) {
  const schema = bounded(max, tooLong)
  return (clean ? schema.overwrite(clean) : schema)
    .check(({ value, issues }) => {
      if (isNormalizable(value)) return
      issues.push({ code: 'custom', input: value, continue: false, message: tooManyMarks })
    })
    .overwrite((value) => value.normalize('NFC').trim())
}
type NormalizedOptions = { clean?: (text: string) => string; tooLong?: string; tooManyMarks?: string }

// Control characters except the line feed, line separators, bidirectional controls and the byte order mark.
// eslint-disable-next-line no-control-regex
const unwanted = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\t/g, ' ').toWellFormed().replace(unwanted, '')
}

/** Joiners within a text are part of it (in emoji, in Persian). */
function blankIfInvisible(text: string): string {
  return /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text) ? '' : text
}

/** Multi-line: NFC, trimmed, without control characters except line breaks. */
export function text(max: number) {
  return normalized(max, { clean }).overwrite(blankIfInvisible).max(max)
}

/** Like `text`, with each run of white space collapsed. */
export function line(max: number) {
  return normalized(max, { clean })
    .overwrite((value) => blankIfInvisible(value).replace(/\s+/g, ' '))
    .max(max)
}

export const username = normalized(limits.usernameMax, {
  tooLong: messages.usernameInvalid,
  tooManyMarks: messages.usernameInvalid,
})
  // NFKC replaces full-width and other compatibility forms with plain letters.
  .overwrite((value) => blankIfInvisible(value.normalize('NFKC')))
  .regex(/^[\p{L}\p{M}\p{Nd}_.-]{2,30}$/u, messages.usernameInvalid)
  .refine(isUsername, messages.usernameInvalid)
  .meta({
    description: '2 to 30 letters and digits of any script, `_`, `-` and `.`.',
    // Python and other regex engines have no \p{L}.
    pattern: '^[^ -,/:-@\\[-^`{-~]{2,30}$',
    maxLength: limits.usernameMax,
    example: 'lantern_moth',
  })

export const email = normalized(limits.emailMax, {
  tooLong: messages.emailInvalid,
  tooManyMarks: messages.emailInvalid,
})
  .max(limits.emailMax, messages.emailInvalid)
  .regex(
    /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cs}]{1,64}@[^\s@.<>()[\]\\,;:"\p{Cc}\p{Cs}]+(?:\.[^\s@.<>()[\]\\,;:"\p{Cc}\p{Cs}]+)+$/u,
    messages.emailInvalid,
  )
  .refine(isPlainEmail, messages.emailInvalid)
  // Python and other regex engines have no \p{Cc}.
  .meta({ format: 'email', pattern: '^[^ @]{1,64}@[^ @.]+([.][^ @.]+)+$', example: 'reader@example.org' })

/** Mail servers map compatibility forms to plain letters, so that two accounts could share a mailbox. */
function isPlainEmail(value: string): boolean {
  const domain = value.slice(value.lastIndexOf('@') + 1)
  return (
    !/[\p{Default_Ignorable_Code_Point}\p{Cf}]/u.test(value) &&
    !domain.includes('\u3002') &&
    domain.normalize('NFKC') === domain
  )
}

/** Normalized as `givenPassword`, so that they compare equal. */
export function password(tooShort: string = messages.passwordTooShort) {
  return normalized(limits.passwordMax, { tooLong: messages.passwordTooLong })
    .min(limits.passwordMin, tooShort)
    .max(limits.passwordMax, messages.passwordTooLong)
    .meta({ format: 'password', example: 'six-or-more' })
}

/** Compared, not stored: it has no minimum length. */
export const givenPassword = normalized(limits.passwordMax, { tooLong: messages.passwordTooLong })
  .max(limits.passwordMax, messages.passwordTooLong)
  .meta({ format: 'password', example: 'six-or-more' })

/**
 * Other hosts are refused, because a member could use them to track readers. A picture of the starter is accepted only if it is the demo
 * member's current one, so that a profile can be sent back unchanged.
 */
export const uploadedImage = z
  .string()
  .regex(/^\/(uploads|starter)\/[a-z0-9-]{1,80}-(160|320|640|1280)\.webp$/, messages.uploadFirst)
  .meta({ format: 'uri-reference', maxLength: 100, example: '/uploads/3f9c2a7d5e-640.webp' })

/** A path on this host, or an https URL of an external source. */
export const image = z.string().nullable().meta({
  format: 'uri-reference',
  description: 'A path on this host, or an https URL of an external source.',
  example: '/uploads/3f9c2a7d5e-640.webp',
})

export const count = z.int().min(0).meta({ example: 42 })

const halfSteps = { description: 'Stars in steps of a half: 1, 1.5, 2 … 5.', multipleOf: 0.5 }

export const rating = z
  .number({
    error: (issue) => (issue.input === undefined ? messages.ratingRequired : messages.ratingOutOfRange),
  })
  .min(limits.ratingMin, { error: messages.ratingOutOfRange, abort: true })
  .max(limits.ratingMax, { error: messages.ratingOutOfRange, abort: true })
  // Exactly: `multipleOf` of zod tolerates a rounding error.
  .refine((value) => Number.isInteger(value * 2), messages.ratingBetweenSteps)
  .meta({ ...halfSteps, example: 4 })

/** A rating in a response, which is not checked again. */
export const stars = z.number().meta({ ...halfSteps, example: 4 })

export const halfStars = z.boolean().meta({
  description:
    'Whether the screens of the member offer and show half stars. Stored ratings do not depend on it.',
  example: false,
})

export const query = line(limits.queryMax).min(1, messages.queryRequired).meta({ example: 'matrix' })

export function idList(pattern: RegExp, example: string) {
  return z
    .string()
    .max(2_500)
    .regex(
      new RegExp(`^${pattern.source}(,${pattern.source}){0,${limits.idsMax - 1}}$`),
      'must be 1 to 100 comma-separated ids',
    )
    .meta({ description: 'At most 100 comma-separated ids.', example })
}

/** Exactly as the title lists it. */
export const genre = line(limits.nameMax).min(1).meta({ example: 'Drama' })

export const decade = z
  .int()
  .min(10)
  .max(9_990)
  .multipleOf(10)
  .meta({ description: 'The first year of a decade of release.', example: 1990 })

export const page = z.int().min(1).max(limits.pageMax).default(1).meta({ example: 1 })

export function limit(byDefault: number) {
  return z.int().min(1).max(limits.limitMax).default(byDefault).meta({ example: byDefault })
}

export const pagination = z
  .object({
    page: z.int().meta({ example: 1 }),
    pageSize: z.int().meta({ example: 24 }),
    total: count,
    totalPages: z.int().meta({ example: 2 }),
  })
  .meta({ id: 'Pagination', description: '`totalPages` is 0 if the list is empty.' })

export const cursor = z
  .string()
  .max(limits.cursorMax)
  .regex(/^[\w-]+$/)
  .optional()
  .meta({ description: 'The `nextCursor` of the previous page.', examples: [] })

export const nextCursor = z.string().nullable().meta({ description: 'Null on the last page.', example: null })

export function paginationOf(page: number, pageSize: number, total: number): z.infer<typeof pagination> {
  return { page, pageSize, total, totalPages: Math.ceil(total / pageSize) }
}

export const shownName = z.string().meta({ example: 'lantern_moth' })

export const person = z
  .object({ id, username: shownName, profilePicture: image })
  .meta({ id: 'Person', description: 'The public fields of a member.' })

/** Only where it is shown beside the name. */
export const isPrivate = z.literal(true).exactOptional().meta({
  description: 'Only present if the member is private: what they write is for accepted followers.',
  examples: [],
})

export type ShownText = 'name' | 'overview' | 'tagline'

/**
 * Texts of titles that pages show in the language of their reader (server/titles/shown-names.ts). They stand beside the `id` of the title, or
 * `localId`.
 */
export const shownTexts = z.registry<{ text: ShownText }>()

export const titleName = z.string().meta({ example: 'The Long Way' }).register(shownTexts, { text: 'name' })

export const titleCard = z
  .object({
    id,
    kind: z.enum(kindNames),
    name: titleName,
    imageUrl: image,
    releaseYear: z.int().nullable().meta({ example: 1999 }),
  })
  .meta({ id: 'TitleCard', description: 'A title of any kind, as lists show it.' })

export const doneText = z.string().meta({ description: 'Says what was done, for display.', example: 'Done.' })

export const message = z.object({ message: doneText }).meta({ id: 'Message' })

/** `{ [key]: schemas[key], ...others }`. In its type all keys are optional, so that the procedures of all kinds have one type. */
export function keyed<Schemas extends Record<string, z.ZodType>, Others extends z.ZodRawShape = {}>(
  key: keyof Schemas & string,
  schemas: Schemas,
  others?: Others,
) {
  return z.object({ ...others, [key]: schemas[key] } as unknown as {
    [K in keyof Schemas]: z.ZodOptional<Schemas[K]>
  } & Others)
}
