import { setImmediate } from 'node:timers/promises'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { descriptionMax, nameMax, searchLimit } from '#shared/domain/limits.ts'
import { line, text } from '#shared/contracts/scalars.ts'
import { htmlConverter, tidyLines } from '#server/text/html-to-text.ts'
import { truncate } from '#server/text/truncate.ts'

// External sources send fields that are missing, null or of another type. None of that is an error here.

/** Returns a schema that turns values which do not match into undefined. */
export function maybe<S extends z.ZodType>(schema: S) {
  return schema.optional().catch(undefined)
}

/** Returns a schema of a list that drops entries which do not match, at most 500; an empty list if the value is not a list. */
export function listOf<S extends z.ZodType>(schema: S) {
  return z
    .unknown()
    .transform((value) => (Array.isArray(value) ? entriesOf(value, schema) : []))
    .default([])
}

/** Like `listOf`, but the value must be a list: a response without one is invalid. */
export function requiredListOf<S extends z.ZodType>(schema: S) {
  return z.array(z.unknown()).transform((value) => entriesOf(value, schema))
}

function entriesOf<S extends z.ZodType>(list: unknown[], schema: S): z.output<S>[] {
  return list.slice(0, 500).flatMap((entry) => {
    const parsed = schema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

/** Parses the body of a response. Throws BAD_GATEWAY if it does not match the schema. */
export function parseBody<S extends z.ZodType>(source: string, schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw invalidResponse(source)
  return parsed.data
}

export function invalidResponse(source: string): TRPCError {
  return new TRPCError({
    code: 'BAD_GATEWAY',
    message: `${source} sent a response of an unexpected shape.`,
  })
}

/** An external id: a positive integer that JSON can hold exactly. */
export const externalId = z.int().positive()

/** UTF-16 units of HTML that are converted per text. */
export const textInputMax = 6_000
const stripHtml = htmlConverter({ inputMax: textInputMax, keepsLinks: false })
const anyText = text(Number.MAX_SAFE_INTEGER)
const anyLine = line(Number.MAX_SAFE_INTEGER)

/**
 * Returns text of several lines without HTML, at most `max` characters, cut at a word; null if nothing is left, or if
 * it cannot be normalized in linear time.
 */
export function toText(html: string | undefined, max: number = descriptionMax): string | null {
  const plain = anyText.safeParse(stripHtml((html ?? '').slice(0, textInputMax))).data ?? ''
  return truncate(tidyLines(plain), max) || null
}

/** Like `toText`, in one line. A text that consists of a tag alone is kept: there is a game called `<Untitled>`. */
export function toLine(html: string | undefined, max: number = nameMax): string | null {
  const given = (html ?? '').slice(0, 4 * max)
  const plain = anyLine.safeParse(stripHtml(given)).data || anyLine.safeParse(given).data
  return truncate(plain ?? '', max) || null
}

/** Returns the first `max` names, each in one line and without duplicates. Reads no more than twice as many. */
export function toNames(given: readonly (string | undefined)[], max: number): string[] {
  const read = given.slice(0, 2 * max)
  return [...new Set(read.flatMap((name) => toLine(name, 100) ?? []))].slice(0, max)
}

/**
 * Maps the entries of a search response to hits, 20 at most. Yields to the event loop after each entry: the texts of a
 * whole response can take hundreds of milliseconds to convert.
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

/** Returns a date of the form `YYYY[-MM[-DD]]`; null if the value is not a date of the calendar. */
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

/** Returns a positive integer or null. Sources write 0 for unknown. */
export function toCount(value: number | undefined): number | null {
  return value !== undefined && value >= 1 && value <= 1_000_000 ? Math.round(value) : null
}

/**
 * Returns a popularity from 0 to 100, from the number of people who rated or shelved a title. `most` is about that number
 * for the source’s most popular titles.
 */
export function popularityOf(people: number | undefined, most: number): number {
  return Math.min(100, Math.round((100 * Math.log1p(Math.max(0, people ?? 0))) / Math.log1p(most)))
}

/** Converts a mean on a scale up to `best` to 0–100 with one decimal; null if there are no ratings. */
export function toRating(mean: number | undefined, best: number, people: number | undefined): number | null {
  if (mean === undefined || !people || mean < 0 || mean > best) return null
  return Math.round((1000 * mean) / best) / 10
}
