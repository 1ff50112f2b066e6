import type { PartDiff } from '#shared/contracts/imports.ts'
import { compare } from '#shared/domain/compare.ts'
import { isOver } from '#shared/domain/kinds.ts'
import { passesMax, showPlaysMax } from '#shared/domain/limits.ts'
import { noteOf } from '#shared/texts/import-notes.ts'
import type { Db } from '#server/db/open.ts'
import { pause } from '#server/db/slices.ts'
import * as store from '#server/progress/imported-store.ts'
import type { PlayRow } from '#server/progress/tables.ts'
import type { ParsedPlay } from '#server/imports/read/formats/plays.ts'
import { placeOf } from '#server/imports/read/formats/records.ts'
import { type EntryToWrite, type EntryValues, type StoredEntry, worse } from './compare-entries.ts'
import type { FoundParts } from './find-parts.ts'

export type PlayWrite = Pick<PlayRow, 'episode_id' | 'pass' | 'watched_on' | 'watched_at' | 'origin'>

export type ComparedPlays = {
  part: PartDiff | undefined
  writes: PlayWrite[]
  /** Afterwards, in their order. */
  passes: number[]
  /** Why some are left out. */
  note?: string
}

type Of = { titleId: number | null; title_key: string; userId: number; service: string; fileWins: boolean }

/**
 * The k-th play of an episode belongs to the k-th pass, unless the file says to which. A play of the same day, or with the same origin, is the same one; one without a day
 * is any that no other play of the file is.
 */
export async function comparePlays(
  db: Db,
  { titleId, title_key, userId, service, fileWins }: Of,
  { plays: known }: FoundParts,
): Promise<ComparedPlays> {
  if (titleId === null || known.size === 0) return { part: undefined, writes: [], passes: [] }
  const own = await store.listOwnPlays(db, userId, titleId)
  const ownOf = Map.groupBy(own, ({ episode_id }) => episode_id)
  const removed = new Set(await store.listRemovedOrigins(db, userId, titleId))
  const writes: PlayWrite[] = []
  const origins = new Set<string>()
  let part: PartDiff = 'same'
  let note: string | undefined
  for (const [episodeId, plays] of known) {
    await pause()
    const here = ownOf.get(episodeId) ?? []
    const added = playsToAdd(withOrigins(plays, `${service}:play:${title_key}`), here)
    const passes = new Set(here.map(({ pass }) => pass))
    for (const { day, origin, at, pass: given } of added) {
      const verdict: PartDiff = removed.has(origin) ? 'conflict' : 'new'
      part = worse(part, verdict)
      if (verdict === 'conflict' && !fileWins) continue
      let pass = given !== null && !passes.has(given) ? given : 1
      while (passes.has(pass)) pass += 1
      if (pass > passesMax) {
        note = noteOf('manyPlays')
        continue
      }
      passes.add(pass)
      // A file may say the same id of several episodes.
      const isFree = !origins.has(origin)
      origins.add(origin)
      writes.push({
        episode_id: episodeId,
        pass,
        watched_on: day,
        watched_at: at,
        origin: isFree ? origin : null,
      })
    }
  }
  // The member has chosen another title for the file since.
  const elsewhere = await store.listKnownOrigins(db, userId, [...origins])
  const free = writes.filter(({ origin }) => origin === null || !elsewhere.has(origin))
  if (free.length === 0 && part === 'new' && !note) part = 'same'
  const kept = free.slice(0, Math.max(0, showPlaysMax - own.length))
  if (kept.length < free.length) note = noteOf('playsFull')
  const passes = new Set([...own, ...kept].map(({ pass }) => pass))
  return { part, writes: kept, passes: [...passes].sort((a, b) => a - b), ...(note && { note }) }
}

type Play = Pick<ParsedPlay, 'day' | 'pass' | 'at'> & { origin: string }

/** In their order, one of a day, with the times that have no play of their own. Without an origin, the day is one. */
function withOrigins(plays: readonly ParsedPlay[], prefix: string): Play[] {
  const sorted = plays.toSorted(
    (a, b) =>
      compare(a.day ?? '', b.day ?? '') ||
      (a.pass ?? 0) - (b.pass ?? 0) ||
      compare(a.origin ?? '', b.origin ?? ''),
  )
  const more = Math.max(...plays.map(({ times }) => times)) - plays.length
  const isLast = plays.some((play) => play.isLast)
  const others = Array.from({ length: Math.max(0, more) }, () => ({ ...sorted[0]!, day: null, origin: null }))
  const isAgain = ({ day, pass }: ParsedPlay, at: number) =>
    day !== null && day === sorted[at - 1]?.day && pass === sorted[at - 1]?.pass
  const distinct = sorted.filter((play, at) => !isAgain(play, at))
  const all = isLast ? [...others, ...distinct] : [...distinct, ...others]
  const countOf = new Map<string, number>()
  return all.map((play) => {
    const { day, pass, at } = play
    const origin = play.origin ?? `${prefix}:${placeOf(play)}:${day ?? 'unknown'}`
    const count = (countOf.get(origin) ?? 0) + 1
    countOf.set(origin, count)
    return { day, pass, at, origin: count === 1 ? origin : `${origin}:${count}` }
  })
}

/** Without those that are here. */
function playsToAdd(plays: readonly Play[], here: readonly store.OwnPlay[]): Play[] {
  let left = [...plays]
  const free = [...here]
  const leaveOut = (isSame: (play: Play, own: store.OwnPlay) => boolean) => {
    left = left.filter((play) => {
      const at = free.findIndex((own) => isSame(play, own))
      if (at >= 0) free.splice(at, 1)
      return at < 0
    })
  }
  leaveOut(({ origin }, own) => own.origin === origin)
  leaveOut(({ day }, own) => day === own.watched_on)
  leaveOut(({ day }, own) => day === null || own.watched_on === null || day.startsWith(own.watched_on))
  return left
}

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
