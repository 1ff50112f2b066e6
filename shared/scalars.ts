import { z } from 'zod'
import * as limits from './limits.ts'
import { messages } from './messages.ts'
import { isUsername } from './usernames.ts'

// A page's security policy forbids code made of text, and reports zod for trying whether it may.
if ('document' in globalThis) z.config({ jitless: true })

/** A local id: a positive integer that JSON can hold exactly. */
export const id = z.int().positive().meta({ description: 'A positive integer.', example: 12 })

/** ISO 8601 in UTC with milliseconds. */
export const time = z.string().meta({ format: 'date-time', example: '2026-05-04T12:30:00.000Z' })

/**
 * The most combining marks that may follow one another. Normalization sorts each run of them, which takes time in the
 * square of its length; Unicode's Stream-Safe Text Format (UAX #15) has the same number, which no language reaches.
 */
const marksMax = 30
/** The most UTF-16 units in the canonical decomposition of one code point (of U+16126). */
const unitsPerLetter = 6

/** Returns whether `text` can be normalized in linear time. */
export function isNormalizable(text: string): boolean {
  // Run by run: /\p{M}{31}/u would begin anew at each mark.
  for (const [run] of text.matchAll(/\p{M}+/gu))
    if (run.length > marksMax && Array.from(run).length > marksMax) return false
  return true
}

/**
 * A string that is refused before anything costly reads it if it is far longer than `max` code points, white space
 * around it not counted. The exact maximum is checked by the schema that is built on it, after it has cleaned the text.
 */
export function bounded(max: number, tooLong?: string) {
  return z.string().check(({ value, issues }) => {
    if (value.length <= unitsPerLetter * max || value.trim().length <= unitsPerLetter * max) return
    issues.push({
      code: 'too_big',
      origin: 'string',
      maximum: max,
      inclusive: true,
      input: value,
      // Nothing that follows in the schema runs, not even what declares a condition of its own.
      continue: false,
      ...(tooLong !== undefined && { message: tooLong }),
    })
  })
}

/** As `bounded`, then changed by `clean`, in NFC and trimmed; a run of too many combining marks is refused before that. */
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

// Control characters but the line break, the invisible marks that turn text around, and lone surrogates.
// eslint-disable-next-line no-control-regex
const unwanted = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\t/g, ' ').toWellFormed().replace(unwanted, '')
}

/** Joiners inside a text are part of it (of emoji, of Persian); alone they show nothing. */
function blankIfInvisible(text: string): string {
  return /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text) ? '' : text
}

/** Text of several lines: well-formed, NFC, trimmed, without control characters but the line break. */
export function text(max: number) {
  return normalized(max, { clean }).overwrite(blankIfInvisible).max(max)
}

/** Text of one line: as `text`, with every run of white space made one space. */
export function line(max: number) {
  return normalized(max, { clean })
    .overwrite((value) => blankIfInvisible(value).replace(/\s+/g, ' '))
    .max(max)
}

export const username = normalized(limits.usernameMax, {
  tooLong: messages.usernameInvalid,
  tooManyMarks: messages.usernameInvalid,
})
  // NFKC replaces full-width and other compatibility forms with the letters they stand for.
  .overwrite((value) => blankIfInvisible(value.normalize('NFKC')))
  .regex(/^[\p{L}\p{M}\p{Nd}_.-]{2,30}$/u, messages.usernameInvalid)
  .refine(isUsername, messages.usernameInvalid)
  .meta({ example: 'lantern_moth' })

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
  .meta({ example: 'reader@example.org' })

/**
 * Whether an address can be read as what it is: nothing invisible or reordering in it, and no compatibility forms in its
 * domain, which mail servers would map to the plain ones, so that two accounts share one mailbox.
 */
function isPlainEmail(value: string): boolean {
  const domain = value.slice(value.lastIndexOf('@') + 1)
  return (
    !/[\p{Default_Ignorable_Code_Point}\p{Cf}]/u.test(value) &&
    !domain.includes('\u3002') &&
    domain.normalize('NFKC') === domain
  )
}

/** Passwords are trimmed and NFC wherever they enter, so that what was set is what is asked for. */
export function password(tooShort: string = messages.passwordTooShort) {
  return normalized(limits.passwordMax, { tooLong: messages.passwordTooLong })
    .min(limits.passwordMin, tooShort)
    .max(limits.passwordMax, messages.passwordTooLong)
    .meta({ format: 'password', example: 'six-or-more' })
}

/** A password that is compared, not set: any length up to the maximum. */
export const givenPassword = normalized(limits.passwordMax, { tooLong: messages.passwordTooLong })
  .max(limits.passwordMax, messages.passwordTooLong)
  .meta({ format: 'password', example: 'six-or-more' })

/**
 * The path of a picture of this host. Others are refused: they would let a member track readers. Of the starter's pictures
 * only the one that a demo member has is accepted, so that a profile can be sent back unchanged.
 */
export const uploadedImage = z
  .string()
  .regex(/^\/(uploads|starter)\/[a-z0-9-]{1,80}-(160|320|640|1280)\.webp$/, messages.uploadFirst)
  .meta({ example: '/uploads/3f9c2a7d5e-640.webp' })

/** The address of a picture in an answer: a path on this host, or an https address of an outside source. */
export const image = z.string().nullable().meta({
  description: 'A path on this host, or an https address of an outside source.',
  example: '/uploads/3f9c2a7d5e-640.webp',
})

/** A number of things. */
export const count = z.int().min(0).meta({ example: 42 })

export const rating = z
  .int({
    error: (issue) => (issue.input === undefined ? messages.ratingRequired : messages.ratingOutOfRange),
  })
  .min(limits.ratingMin, messages.ratingOutOfRange)
  .max(limits.ratingMax, messages.ratingOutOfRange)
  .meta({ example: 4 })

/** What somebody searches for: one line, never blank. */
export const query = line(limits.queryMax).min(1, messages.queryRequired).meta({ example: 'matrix' })

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
  .meta({ id: 'Pagination', description: '`totalPages` is 0 where there is nothing.' })

/** Returns the `pagination` of a list. */
export function paginationOf(page: number, pageSize: number, total: number): z.infer<typeof pagination> {
  return { page, pageSize, total, totalPages: Math.ceil(total / pageSize) }
}

/** A username in an answer. */
export const shownName = z.string().meta({ example: 'lantern_moth' })

/** What everybody may see of a member. */
export const person = z
  .object({ id, username: shownName, profilePicture: image })
  .meta({ id: 'Person', description: 'What everybody may see of a member.' })

/** What was done, in words for the reader. */
export const doneText = z
  .string()
  .meta({ description: 'What was done, in words for the reader.', example: 'Done.' })

export const message = z.object({ message: doneText }).meta({ id: 'Message' })

/**
 * `{ [key]: schema, ...others }` with the key kept in the type: not constrained, since that would lose
 * the schema's own.
 */
export function keyed<const Key extends string, Schema, Others extends z.ZodRawShape = {}>(
  key: Key,
  schema: Schema,
  others?: Others,
) {
  return z.object({ ...others, [key]: schema } as { [K in Key]: Schema } & Others)
}
