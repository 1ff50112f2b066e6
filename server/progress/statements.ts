import type { DiaryWritten } from '#shared/contracts/diary.ts'
import { messages } from '#shared/texts/messages.ts'
import { badRequest, ReasonedError } from '#server/calls/errors.ts'
import type { Db } from '#server/db/open.ts'
import type { EntryRow } from '#server/diary/tables.ts'
import { type Clock, withAired } from '#server/titles/airing.ts'
import { listEpisodes, listPlayed } from './episodes-store.ts'
import { unmarkPlays } from './marks.ts'
import { settlePasses } from './passes.ts'
import { updatePass } from './passes-store.ts'
import { listPlayIds } from './plays-store.ts'
import { derivedStatus, isPlayedIn } from './rules.ts'

const viewingOf = ({ user_id: userId, media_id: titleId }: EntryRow, clock: Clock) => ({
  userId,
  titleId,
  clock,
})

/** What a member says of a pass with plays. Its dates, and whether it is finished, follow from the plays. */
export async function editPass(trx: Db, entry: EntryRow, sent: DiaryWritten, clock: Clock): Promise<void> {
  const viewing = viewingOf(entry, clock)
  const { status, isAgain, text } = sent
  if (status === 'want') throw badRequest(messages.passIsNotWanted)
  if (status === 'finished') {
    const episodes = withAired(await listEpisodes(trx, viewing.titleId), clock)
    const played = isPlayedIn(await listPlayed(trx, viewing.userId, viewing.titleId), entry.pass!)
    if (derivedStatus(episodes, played) !== 'finished')
      throw new ReasonedError('CONFLICT', 'EPISODES_MISSING', messages.episodesMissing)
  }
  const stated = status === 'paused' || status === 'dropped' ? status : null
  await updatePass(trx, entry.id, {
    ...(status !== undefined && { stated }),
    ...(isAgain !== undefined && { is_again: Number(isAgain) }),
    ...(text !== undefined && { text }),
    updated_at: clock.now,
  })
  await settlePasses(trx, viewing)
}

/** Of an entry that was removed; the undo of the batch brings plays and entry back. */
export async function removePassOf(trx: Db, entry: EntryRow, pass: number, clock: Clock): Promise<void> {
  const viewing = viewingOf(entry, clock)
  const plays = await listPlayIds(trx, viewing.userId, viewing.titleId, pass)
  await unmarkPlays(
    trx,
    viewing,
    plays.map(({ id }) => id),
  )
}
