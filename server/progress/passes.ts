import { type DiaryStatus, isOver } from '#shared/domain/kinds.ts'
import type { Db } from '#server/db/open.ts'
import { isSqlite, lockKeys } from '#server/db/dialect.ts'
import { pause } from '#server/db/slices.ts'
import type { EntryRow } from '#server/diary/tables.ts'
import { type Clock, firstDay, withAired } from '#server/titles/airing.ts'
import { lockFromRemoval } from '#server/titles/store.ts'
import { listEpisodes, listPlayed } from './episodes-store.ts'
import * as store from './passes-store.ts'
import { type Aired, derivedStatus, isWhole, playedByPass } from './rules.ts'

/** `episodes` are read unless they are known. */
export type Viewing = { userId: number; titleId: number; clock: Clock; episodes?: readonly Aired[] }

/**
 * On Postgres, two calls of a member about one show would otherwise both begin a pass, or one would not know the episodes of a refresh. Call
 * it before rows of entries, plays or batches are locked: the other order deadlocks.
 */
export async function lockPasses(trx: Db, { userId, titleId }: Omit<Viewing, 'clock'>): Promise<void> {
  if (isSqlite(trx)) return
  await lockFromRemoval(trx, [titleId])
  await lockKeys(trx, [`progress ${userId} ${titleId}`])
}

const isOpen = ({ status }: Pick<EntryRow, 'status'>) => status === 'started' || status === 'paused'

/**
 * Makes the diary say what the plays of a show say: each pass is an entry, whose first play made it, of an entry under way or on the want
 * list if there is one. An undo gives such an entry back; otherwise a pass is gone with its last play, unless it has a note.
 */
export async function settlePasses(trx: Db, viewing: Viewing, isUndo = false): Promise<void> {
  const { userId, titleId, clock } = viewing
  const passes = await store.listPasses(trx, userId, titleId)
  const entries = await store.listEntriesOf(trx, userId, titleId)
  const known = new Set(passes.map(({ pass }) => pass))
  const [left, gone] = [[] as EntryRow[], [] as EntryRow[]]
  for (const entry of entries) (entry.pass === null || known.has(entry.pass) ? left : gone).push(entry)
  for (const entry of gone) {
    const kept = await endPass(trx, entry, left, isUndo, clock)
    if (kept) left.push(kept)
  }
  const newest = passes.at(-1)
  if (!newest) return

  const episodes = viewing.episodes ?? withAired(await listEpisodes(trx, titleId), clock)
  const byPass = playedByPass(await listPlayed(trx, userId, titleId))
  const byEntry = new Map(left.map((entry) => [entry.pass, entry]))
  const statements = left.filter(({ pass }) => pass === null)
  const hasEntry = left.some(({ pass }) => pass === newest.pass)
  const adopted = hasEntry
    ? undefined
    : (statements.find(isOpen) ?? statements.find(({ status }) => status === 'want'))
  const isSuperseded = statements.some((entry) => entry !== adopted && isOpen(entry))
  // An older pass is not under way any longer once the newest one is.
  for (const { pass, first_on, last_on, played_at } of passes) {
    await pause()
    const isCurrent = pass === newest.pass && !isSuperseded
    const own = byEntry.get(pass) ?? (pass === newest.pass ? adopted : undefined)
    const played = byPass.get(pass) ?? new Set()
    const stated = isCurrent ? (own?.stated ?? null) : null
    const over: DiaryStatus = isWhole(episodes, played) ? 'finished' : 'dropped'
    const status = isCurrent ? (stated ?? derivedStatus(episodes, played)) : over
    const values = {
      pass,
      status,
      stated,
      adopted: own === adopted && own ? `${own.status} ${own.started_on ?? ''}` : (own?.adopted ?? null),
      started_on: first_on,
      finished_on: isOver(status) ? last_on : null,
      is_again: own ? own.is_again : Number(pass > 1),
      played_at,
      next_on: isCurrent && stated === null ? firstDay(episodes, ({ id }) => !played.has(id)) : null,
    }
    if (own === adopted && own && pass > 1) values.is_again = 1
    if (!own) {
      await store.insertPass(trx, { user_id: userId, media_id: titleId, at: clock.now }, values)
      continue
    }
    const changed = Object.entries(values).filter(([key, value]) => own[key as keyof EntryRow] !== value)
    if (changed.length === 0) continue
    // A refresh marks passes in `next_on`, of which members see nothing.
    const updated_at = changed.every(([key]) => key === 'next_on') ? own.updated_at : clock.now
    await store.updatePass(trx, own.id, { ...values, updated_at })
  }
}

const noPass = { pass: null, stated: null, adopted: null, played_at: null, next_on: null, finished_on: null }

/** Returns the entry if it stays. */
async function endPass(
  trx: Db,
  entry: EntryRow,
  others: readonly EntryRow[],
  isUndo: boolean,
  { now }: Clock,
): Promise<EntryRow | undefined> {
  const [status, startedOn] = (entry.adopted ?? '').split(' ') as [DiaryStatus | '', string?]
  const isFree = !others.some((other) =>
    status === 'want' ? other.status === 'want' : isOpen({ status: status || 'want' }) && isOpen(other),
  )
  if (status !== '' && isUndo && isFree) {
    const values = { ...noPass, status, started_on: startedOn || null }
    await store.updatePass(trx, entry.id, { ...values, updated_at: now })
    return { ...entry, ...values }
  }
  if (entry.text === '' && entry.rating_given === null) {
    await store.removePass(trx, entry.id)
    return undefined
  }
  const values = { ...noPass, status: 'dropped' as const, started_on: null }
  await store.updatePass(trx, entry.id, { ...values, updated_at: now })
  return { ...entry, ...values }
}
