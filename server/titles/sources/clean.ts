import { t } from '#shared/domain/message.ts'
import { setImmediate } from 'node:timers/promises'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { descriptionMax, nameMax, searchLimit } from '#shared/domain/limits.ts'
import { line, text } from '#shared/contracts/scalars.ts'
import { type DescribedName, describedLanguages, titleNamesMax } from '#shared/domain/title-names.ts'
import { htmlConverter, tidyLines } from '#server/text/html-to-text.ts'
import { truncate } from '#shared/texts/truncate.ts'

// External sources send fields that are missing, null or of another type.

export function maybe<S extends z.ZodType>(schema: S) {
  return schema.optional().catch(undefined)
}

const entriesMax = 500
export const foundSeasonsMax = 60
export const foundEpisodesMax = 5_000

/** Drops entries that do not match; empty if the value is no list. */
export function listOf<S extends z.ZodType>(schema: S, most = entriesMax) {
  return z
    .unknown()
    .transform((value) => (Array.isArray(value) ? entriesOf(value, schema, most) : []))
    .default([])
}

/** A response without a list is invalid. */
export function requiredListOf<S extends z.ZodType>(schema: S, most = entriesMax) {
  return z.array(z.unknown()).transform((value) => entriesOf(value, schema, most))
}

function entriesOf<S extends z.ZodType>(list: unknown[], schema: S, most: number): z.output<S>[] {
  return list.slice(0, most).flatMap((entry) => {
    const parsed = schema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

/** Throws BAD_GATEWAY if the body does not match. */
export function parseBody<S extends z.ZodType>(source: string, schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw invalidResponse(source)
  return parsed.data
}

export function invalidResponse(source: string): TRPCError {
  return new TRPCError({
    code: 'BAD_GATEWAY',
    message: t`${source} sent a response of an unexpected shape.`,
  })
}

export const externalId = z.int().positive()

export const textInputMax = 6_000
const stripHtml = htmlConverter({ inputMax: textInputMax, keepsLinks: false })
const anyText = text(Number.MAX_SAFE_INTEGER)
const anyLine = line(Number.MAX_SAFE_INTEGER)

/** Without HTML, at most `max` characters, cut at a word; null if nothing is left, or if it cannot be normalized in linear time. */
export function toText(html: string | undefined, max: number = descriptionMax): string | null {
  const plain = anyText.safeParse(stripHtml((html ?? '').slice(0, textInputMax))).data ?? ''
  return truncate(tidyLines(plain), max) || null
}

/** A text that consists of a tag alone is kept: there is a game called `<Untitled>`. */
export function toLine(html: string | undefined, max: number = nameMax): string | null {
  const given = (html ?? '').slice(0, 4 * max)
  const plain = anyLine.safeParse(stripHtml(given)).data || anyLine.safeParse(given).data
  return truncate(plain ?? '', max) || null
}

/** Returns each name in one line, without duplicates. Reads no more than twice `max`. */
export function toNames(given: readonly (string | undefined)[], max: number): string[] {
  const read = given.slice(0, 2 * max)
  return [...new Set(read.flatMap((name) => toLine(name, 100) ?? []))].slice(0, max)
}

export const taglineMax = 300

type Name = Pick<DescribedName, 'kind' | 'language'> & {
  [Text in 'name' | 'overview' | 'tagline']?: string | undefined
}

/** The first ones, and the first description of each language of the app. */
export function toTitleNames(given: readonly Name[]): DescribedName[] {
  const described = new Set<string>()
  return given.slice(0, 2 * titleNamesMax).flatMap(({ kind, language, ...texts }) => {
    const isDescribed = describedLanguages.includes(language) && !described.has(language)
    const overview = isDescribed ? toText(texts.overview) : null
    const tagline = isDescribed ? toLine(texts.tagline, taglineMax) : null
    if (overview ?? tagline) described.add(language)
    const name = toLine(texts.name) ?? ''
    return name || overview || tagline ? { kind, language, name, overview, tagline } : []
  })
}

/** At most 20. Yields to the event loop after each entry: the texts of a response can take hundreds of milliseconds. */
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

/** Sources write 0 for unknown. */
export function toCount(value: number | undefined): number | null {
  return value !== undefined && value >= 1 && value <= 1_000_000 ? Math.round(value) : null
}

/** From 0 to 100. `most` is about the number of people who rated the source’s most popular titles. */
export function popularityOf(people: number | undefined, most: number): number {
  return Math.min(100, Math.round((100 * Math.log1p(Math.max(0, people ?? 0))) / Math.log1p(most)))
}

/** From 0 to 100 with one decimal; null without ratings. */
export function toRating(mean: number | undefined, best: number, people: number | undefined): number | null {
  if (mean === undefined || !people || mean < 0 || mean > best) return null
  return Math.round((1000 * mean) / best) / 10
}
