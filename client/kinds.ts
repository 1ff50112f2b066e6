import { trpc } from '#client/trpc.ts'
import type { KindFacts } from '#shared/media.ts'

/** A record of any kind: of a card, a popular entry or a page. */
export type AnyRecord = { id: number }

// The one place that turns a kind known at run time into types. The four routers come from one factory on the server:
// they take the same inputs, and their answers differ only in the keys that `KindFacts` names (record, name, image).
// So a kind's router is read as that of movies, and those three keys through the functions below, never by hand.

/** The hooks of a kind: `kindApi(facts).popular.useQuery()`. Of an answer's record use `recordOf`, `nameOf`, `imageOf`. */
export function kindApi(facts: KindFacts): (typeof trpc)['movies'] {
  return trpc[facts.router] as unknown as (typeof trpc)['movies']
}

/** The same of `trpc.useUtils()` in components, or of the router context's `trpc` in loaders. */
export function kindUtils<Utils extends Record<KindFacts['router'], unknown>>(
  utils: Utils,
  facts: KindFacts,
): Utils['movies'] {
  return utils[facts.router] as Utils['movies']
}

/** The record in an answer that wraps it by its kind: `{ tvShow: {…}, stats }`, `{ friendAvg, book: {…} }`. */
export function recordOf<Record>(facts: KindFacts, answer: { movie: Record }): Record {
  return read(answer, facts.key) as Record
}

/** What a title is called. */
export function nameOf(facts: KindFacts, record: AnyRecord): string {
  return String(read(record, facts.nameKey) ?? '')
}

/** The address of a poster or cover. */
export function imageOf(facts: KindFacts, record: AnyRecord): string | null {
  return (read(record, facts.imageKey) as string | null | undefined) ?? null
}

/** The page of a title: `/movies/12`. */
export function pathOf(facts: KindFacts, id: number): string {
  return `/${facts.path}/${id}`
}

function read(record: object, key: string): unknown {
  return (record as Record<string, unknown>)[key]
}
