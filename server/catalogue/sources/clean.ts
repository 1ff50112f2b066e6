import { setImmediate } from 'node:timers/promises'
import { TRPCError } from '@trpc/server'
import { compile } from 'html-to-text'
import { z } from 'zod'
import { descriptionMax, nameMax, searchLimit } from '#shared/limits.ts'
import { line, text } from '#shared/scalars.ts'

/** Reading what outside sources send: every field may be missing, null or of another form, and none of that is an error. */

/** The value where it has this form, else undefined. */
export function maybe<S extends z.ZodType>(schema: S) {
  return schema.optional().catch(undefined)
}

/** The entries that have this form, at most 500; none where it is no list. */
export function listOf<S extends z.ZodType>(schema: S) {
  return z
    .unknown()
    .transform((value) => (Array.isArray(value) ? entriesOf(value, schema) : []))
    .default([])
}

/** As `listOf`, where an answer without the list says nothing. */
export function listIn<S extends z.ZodType>(schema: S) {
  return z.array(z.unknown()).transform((value) => entriesOf(value, schema))
}

function entriesOf<S extends z.ZodType>(list: unknown[], schema: S): z.output<S>[] {
  return list.slice(0, 500).flatMap((entry) => {
    const parsed = schema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

/** What the schema makes of an answer; throws BAD_GATEWAY where that is not to be read. */
export function sensible<S extends z.ZodType>(source: string, schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw nonsense(source)
  return parsed.data
}

export function nonsense(source: string): TRPCError {
  return new TRPCError({
    code: 'BAD_GATEWAY',
    message: `${source} answered something else than what was asked for.`,
  })
}

/** An external id: a positive integer that JSON can hold exactly. */
export const externalId = z.int().positive()

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
/** UTF-16 units of HTML that are read of one text: that takes some milliseconds at worst, and nothing else runs meanwhile. */
export const textInputMax = 6_000
const toPlain = compile({
  wordwrap: false,
  preserveNewlines: true,
  limits: { maxInputLength: textInputMax, maxDepth: 50 },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})
const stripHtml = (html: string) => toPlain(html.replace(/\r\n?/g, '\n'))
const anyText = text(Number.MAX_SAFE_INTEGER)
const anyLine = line(Number.MAX_SAFE_INTEGER)

/**
 * Returns text of several lines without HTML, at most `max` characters, cut at a word; null if nothing is left, or if
 * it cannot be normalized in linear time.
 */
export function toText(html: string | undefined, max: number = descriptionMax): string | null {
  const plain = anyText.safeParse(stripHtml((html ?? '').slice(0, textInputMax))).data ?? ''
  const lines = plain.split('\n').map((each) => each.trim())
  return cut(lines.join('\n').replace(/\n{3,}/g, '\n\n'), max) || null
}

/** As `toText`, in one line. A text that is nothing but a tag is a name: there is a game called `<Untitled>`. */
export function toLine(html: string | undefined, max: number = nameMax): string | null {
  const given = (html ?? '').slice(0, 4 * max)
  const plain = anyLine.safeParse(stripHtml(given)).data || anyLine.safeParse(given).data
  return cut(plain ?? '', max) || null
}

function cut(plain: string, max: number): string {
  if (plain.length <= max) return plain
  const start = plain.slice(0, max - 1)
  const lastSpace = start.search(/\s\S*$/)
  return `${(lastSpace > max / 2 ? start.slice(0, lastSpace) : start).trimEnd().replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns names in one line each, without repetition, the first `max`. Of very many, only the first are read. */
export function toNames(given: readonly (string | undefined)[], max: number): string[] {
  const read = given.slice(0, 2 * max)
  return [...new Set(read.flatMap((name) => toLine(name, 100) ?? []))].slice(0, max)
}

/**
 * Returns the first hits that the entries of a search make, 20 at most. Other requests run between one entry and the
 * next: the texts of a whole response can take hundreds of milliseconds to read.
 */
export async function toHits<Entry, Hit>(
  entries: readonly Entry[],
  toHit: (entry: Entry) => Hit[],
): Promise<Hit[]> {
  const hits: Hit[] = []
  for (const entry of entries) {
    if (hits.length >= searchLimit) break
    hits.push(...toHit(entry))
    await setImmediate()
  }
  return hits.slice(0, searchLimit)
}

/** A date as far as it is known, `YYYY[-MM[-DD]]`; null for what is no date of the calendar. */
export function toDate(value: string | undefined): string | null {
  const match = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(value ?? '')
  if (!match) return null
  const [whole, year, month = '01', day = '01'] = match
  const real = new Date(`${year}-${month}-${day}T00:00:00Z`)
  const isReal = Number(year) > 0 && !Number.isNaN(real.getTime()) && real.getUTCDate() === Number(day)
  return isReal ? whole : null
}

export function yearOf(date: string | null): number | null {
  return date === null ? null : Number(date.slice(0, 4))
}

/** A whole number above zero, or null: sources write 0 for what they do not know. */
export function toCount(value: number | undefined): number | null {
  return value !== undefined && value >= 1 && value <= 1_000_000 ? Math.round(value) : null
}

/** How widely known, 0 to 100, from how many people rated or kept a title; about `most` do so with the best known. */
export function fameOf(people: number | undefined, most: number): number {
  return Math.min(100, Math.round((100 * Math.log1p(Math.max(0, people ?? 0))) / Math.log1p(most)))
}

/** A mean on a scale up to `best`, as 0 to 100 with one decimal; null where nobody rated. */
export function toRating(mean: number | undefined, best: number, people: number | undefined): number | null {
  if (mean === undefined || !people || mean < 0 || mean > best) return null
  return Math.round((1000 * mean) / best) / 10
}
