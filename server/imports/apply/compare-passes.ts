import { isOver } from '#shared/domain/kinds.ts'
import type { EntryToWrite, EntryValues, StoredEntry } from './compare-entries.ts'
import type { ComparedPlays } from './compare-plays.ts'

/** What the file says of a pass besides its plays. */
export type PassEdits = Map<number, EntryValues>

/**
 * The plays of a show make its entries: the last entry of the file is about the newest pass, and the one before about the pass before. Of
 * more entries, only those with a text or a rating are entries of their own. An export of Medley says which entry is about which pass.
 */
export function besidePasses(
  joined: readonly EntryToWrite[],
  current: readonly StoredEntry[],
  plays: ComparedPlays,
): { others: readonly EntryToWrite[]; here: readonly StoredEntry[]; passes: PassEdits } {
  const passes: PassEdits = new Map()
  if (!plays.part) return { others: joined, here: current, passes }
  const here = current.filter(({ pass }) => pass === null)
  if (joined.some(({ pass }) => pass !== null)) {
    const isOfPlays = ({ pass }: EntryToWrite) => pass !== null && plays.passes.includes(pass)
    for (const { pass, values } of joined.filter(isOfPlays)) passes.set(pass!, values)
    return { others: joined.filter((entry) => !isOfPlays(entry)), here, passes }
  }
  const wanted = joined.filter(({ values }) => values.status === 'want')
  const begun = joined.filter(({ values }) => values.status !== 'want')
  const older = begun.slice(0, Math.max(0, begun.length - plays.passes.length))
  for (const [at, { values }] of begun.slice(older.length).toReversed().entries())
    passes.set(plays.passes.at(-1 - at)!, values)
  const said = older.filter(
    ({ values }) => isOver(values.status) && (values.text !== '' || values.rating_given !== null),
  )
  return { others: [...said, ...wanted], here, passes }
}
