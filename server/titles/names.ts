import {
  type DescribedName,
  describedLanguages,
  titleNamesLengthMax,
  titleNamesMax,
  type TitleName,
} from '#shared/domain/title-names.ts'
import { namesText } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { listNames, replaceNames } from './names-store.ts'
import { updateTitle } from './store.ts'

/** Replaces what the source said before, unless it `hasOthers`, and lets the search find each name. */
export async function saveNames(
  trx: Db,
  titleId: number,
  source: string,
  names: readonly DescribedName[],
  hasOthers = false,
): Promise<void> {
  const others = hasOthers ? (await listNames(trx, [titleId])).filter((row) => row.source === source) : []
  await replaceNames(trx, titleId, source, keptNames([...names, ...others]))
  await updateNamesText(trx, titleId)
}

/** Names that `to` has already stay before the names of `from`. */
export async function moveNames(trx: Db, from: number, to: number): Promise<void> {
  const names = (await listNames(trx, [from, to])).toSorted((one, other) =>
    one.media_id === other.media_id ? 0 : one.media_id === to ? -1 : 1,
  )
  for (const source of new Set(names.flatMap((row) => (row.media_id === from ? row.source : [])))) {
    await replaceNames(trx, from, source, [])
    await replaceNames(trx, to, source, keptNames(names.filter((row) => row.source === source)))
  }
  for (const id of [from, to]) await updateNamesText(trx, id)
}

/** An earlier version had other names of the starter catalogue. */
export async function saveStarterNames(
  trx: Db,
  given: readonly { titleId: number; names: readonly TitleName[] }[],
): Promise<void> {
  const rows = await listNames(
    trx,
    given.map(({ titleId }) => titleId),
  )
  const known = new Map(
    [...Map.groupBy(rows, ({ media_id }) => media_id)].map(([id, of]) => [
      id,
      textOf(of.filter(({ source }) => source === 'starter')),
    ]),
  )
  for (const { titleId, names } of given)
    if ((known.get(titleId) ?? '') !== textOf(names)) await saveNames(trx, titleId, 'starter', names)
}

function textOf(names: readonly TitleName[]): string {
  return names
    .map(({ kind, language, name }) => `${kind} ${language} ${name}`)
    .sort()
    .join('\n')
}

async function updateNamesText(trx: Db, titleId: number): Promise<void> {
  const names = await listNames(trx, [titleId])
  await updateTitle(trx, titleId, { names_text: namesText(names.map(({ name }) => name)) })
}

/** Keeps the most useful names, as far as they fit, and texts in the languages of the app. */
function keptNames(names: readonly DescribedName[]): DescribedName[] {
  const kept = new Map<string, DescribedName>()
  let length = 0
  for (const found of names.toSorted((one, other) => useOf(one) - useOf(other))) {
    const { kind, language, name } = found
    const isDescribed = describedLanguages.includes(language)
    const { overview = null, tagline = null } = isDescribed ? found : {}
    const key = JSON.stringify([kind, language, name])
    if (kept.has(key) || (name === '' && overview === null && tagline === null)) continue
    if (kept.size >= titleNamesMax || length + name.length > titleNamesLengthMax) continue
    kept.set(key, { kind, language, name, overview, tagline })
    length += name.length
  }
  return [...kept.values()]
}

function useOf({ kind, language }: TitleName): number {
  if (kind === 'original' || kind === 'romanised') return 0
  if (kind === 'other') return 3
  return describedLanguages.includes(language.split('-', 1)[0]!) ? 1 : 2
}
