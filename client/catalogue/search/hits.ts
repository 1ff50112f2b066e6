import type { RouterOutputs } from '#client/app/trpc.ts'
import { type Kind, kindOfCategory, kinds } from '#shared/domain/kinds.ts'
import { snippet } from './snippet.ts'

export type Hit = {
  key: string
  kind: Kind
  title: string
  facts: readonly string[]
  average: number | null
  text: string
  imageUrl: string | null
  /** The preferred id first; without ids, the title cannot be added. */
  ids: RouterOutputs['sources']['search']['results'][number]['ids']
  localId: number | undefined
}

type Found = RouterOutputs['sources']['search']['results'][number]
type LocalTitle = RouterOutputs['items']['search']['results'][number]

export function sourceHit({ kind, name, text, imageUrl, ids, localId, ...hit }: Found, index: number): Hit {
  const { listed } = kinds[kind]
  return {
    key: ids[0] ? `${ids[0].source} ${ids[0].id}` : `${kind} ${index}`,
    kind,
    title: name,
    facts: known(hit.releaseYear, listed && hit[listed.field].slice(0, listed.max).join(', ')),
    average: hit.average,
    text: snippet(text),
    imageUrl,
    ids,
    localId: localId ?? undefined,
  }
}

export function localHit({
  id,
  name,
  category,
  releaseYear,
  description,
  imageUrl,
  average,
}: LocalTitle): Hit {
  return {
    key: `local ${id}`,
    kind: kindOfCategory(category)!,
    title: name,
    facts: known(releaseYear),
    average,
    text: snippet(description),
    imageUrl,
    ids: [],
    localId: id,
  }
}

function known(...facts: (string | number | null)[]): string[] {
  return facts.flatMap((fact) => (fact === null || fact === '' ? [] : [String(fact)]))
}
