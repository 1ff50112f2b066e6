import type { AnyRouter } from '@trpc/server'
import type { z } from 'zod'
import { sourceLanguage, type TitleNames } from '#shared/domain/languages.ts'
import { inLanguage, shownNameOf } from '#shared/domain/title-names.ts'
import { type ShownText, shownTexts } from '#shared/contracts/scalars.ts'
import { definitionOf, proceduresOf } from '#server/calls/described.ts'
import type { Db } from '#server/db/open.ts'
import { listShownNames } from './names-store.ts'
import { rankOf } from './sources/title-row.ts'

export type NameReader = { shown: TitleNames; language: string }

/** Where a value has titles: its own texts by key, and the properties or entries with titles in them. */
type Plan = { texts: [key: string, ShownText][]; inside: [key: string, Plan][]; each?: Plan | undefined }

/** What the definitions of zod’s schemas have of other schemas. */
type Parts = { [Part in 'element' | 'valueType' | 'innerType' | 'out' | 'left' | 'right']?: z.ZodType } & {
  shape?: Record<string, z.ZodType>
  options?: z.ZodType[]
  getter?: () => z.ZodType
}

type Titled = { id: number; texts: Plan['texts']; value: Record<string, unknown> }

/**
 * Returns the function that puts the names and descriptions that a reader of pages sees in the place of the ones that the API documents. The
 * schema of the output says where these are: see `shownTexts`. Calls of moderators keep the stored names, which they correct.
 */
export function openShownNames(router: AnyRouter) {
  const plans = new Map<string, Plan | undefined>()
  const planAt = (path: string) => {
    if (!plans.has(path)) {
      const { meta, output } = definitionOf(proceduresOf(router)[path]!)
      plans.set(path, meta?.role === undefined && output ? planOf(output) : undefined)
    }
    return plans.get(path)
  }
  return async (db: Db, reader: NameReader, path: string, output: unknown): Promise<void> => {
    // Names of titles are in English if a source has them in English.
    const isTranslated = reader.language !== sourceLanguage
    const plan = isTranslated || reader.shown !== 'local' ? planAt(path) : undefined
    const titles = plan ? [...titlesIn(plan, output)] : []
    if (titles.length > 0) await translate(db, reader, titles)
  }
}

/** For titles that no call has returned: the names that pages in a language show. */
export async function withShownNames<Title extends { id: number; name: string }>(
  db: Db,
  language: string,
  titles: readonly Title[],
): Promise<Title[]> {
  const shown = titles.map((title) => ({ ...title }))
  const texts: Plan['texts'] = [['name', 'name']]
  if (language !== sourceLanguage)
    await translate(
      db,
      { shown: 'local', language },
      shown.map((value) => ({ id: value.id, texts, value })),
    )
  return shown
}

async function translate(db: Db, { shown, language }: NameReader, titles: readonly Titled[]): Promise<void> {
  const rows = await listShownNames(db, [...new Set(titles.map(({ id }) => id))], language)
  const ranked = rows.toSorted((one, other) => rankOf(one.source) - rankOf(other.source))
  const namesOf = Map.groupBy(ranked, ({ media_id }) => media_id)
  for (const { id, texts, value } of titles) {
    const names = namesOf.get(id)
    if (!names) continue
    const locals = names.filter(({ kind }) => kind === 'local')
    const described = (text: 'overview' | 'tagline') =>
      inLanguage(
        locals.filter((row) => row[text] !== null),
        language,
      )?.[text]
    for (const [key, text] of texts) {
      const found = text === 'name' ? shownNameOf(names, shown, language)?.name : described(text)
      if (found) value[key] = found
    }
  }
}

function planOf(schema: z.ZodType, within: ReadonlySet<z.ZodType> = new Set()): Plan | undefined {
  if (within.has(schema)) return undefined
  const inner = (one: z.ZodType) => planOf(one, new Set([...within, schema]))
  const def = schema._zod.def as unknown as Parts
  if (def.shape) return planOfObject(def.shape, inner)
  const each = def.element ?? def.valueType
  if (each) {
    const plan = inner(each)
    return plan && { texts: [], inside: [], each: plan }
  }
  const same = [def.innerType, def.out, def.left, def.right, def.getter?.(), ...(def.options ?? [])]
  return merge(same.map((one) => one && inner(one)))
}

function planOfObject(
  shape: Record<string, z.ZodType>,
  inner: (schema: z.ZodType) => Plan | undefined,
): Plan | undefined {
  const isTitle = 'id' in shape || 'localId' in shape
  const texts = Object.entries(shape).flatMap(([key, schema]): Plan['texts'] => {
    const text = isTitle ? shownTexts.get(schema)?.text : undefined
    return text ? [[key, text]] : []
  })
  const inside = Object.entries(shape).flatMap(([key, schema]): Plan['inside'] => {
    const plan = inner(schema)
    return plan ? [[key, plan]] : []
  })
  return texts.length > 0 || inside.length > 0 ? { texts, inside } : undefined
}

function merge(plans: readonly (Plan | undefined)[]): Plan | undefined {
  const known = plans.filter((plan) => plan !== undefined)
  if (known.length < 2) return known[0]
  return {
    texts: known.flatMap(({ texts }) => texts),
    inside: known.flatMap(({ inside }) => inside),
    each: merge(known.map(({ each }) => each)),
  }
}

function* titlesIn({ texts, inside, each }: Plan, value: unknown): Generator<Titled> {
  if (typeof value !== 'object' || value === null) return
  const record = value as Record<string, unknown>
  const id = record.id ?? record.localId
  const own = texts.filter(([key]) => typeof record[key] === 'string' || record[key] === null)
  if (own.length > 0 && typeof id === 'number') yield { id, texts: own, value: record }
  for (const [key, plan] of inside) yield* titlesIn(plan, record[key])
  if (each) for (const one of Object.values(record)) yield* titlesIn(each, one)
}
