import type { z } from 'zod'
import * as schema from '#shared/contracts/progress.ts'
import { latestDay } from '#shared/domain/days.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { passesMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Db } from '#server/db/open.ts'
import type { Context, Member } from '#server/calls/context.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import { badRequest, ReasonedError } from '#server/calls/errors.ts'
import { callsIn, found, requireSpace, router } from '#server/calls/procedures.ts'
import { findReviewedTitle } from '#server/reviews/store.ts'
import { listEntriesOf } from './passes-store.ts'
import { dayOfPlay, markEpisodes, undoBatch, unmarkPlays, type Watched } from './marks.ts'
import { lockPasses, settlePasses, type Viewing } from './passes.ts'
import * as store from './plays-store.ts'
import { type ShownPlay, toPlays } from './shown-plays.ts'
import { type Aired, toBatch } from './rules.ts'
import { readClock, readProgress, readShow, readViewed, type Show } from './shows.ts'

const { forMembers } = callsIn('Progress')

type Selection = z.output<typeof schema.setProgress.input>

export const marksRouter = router({
  mark: forMembers('PUT /tv-shows/{id}/progress', 'setProgress', schema.setProgress, {
    summary: 'Mark episodes of a TV show as watched',
    description:
      'Exactly one of `episodeIds`, `upTo` and `season` names the episodes. Episodes that are played in the pass stay as they are, and episodes that have not aired are left out, unless one id is sent alone. ' +
      'The first play of a pass makes its entry of the diary, of the entry under way or on the want list if there is one. A play continues a show that was paused or dropped. ' +
      'Without known episodes, returns 409 with the reason `EPISODES_UNKNOWN`.',
    errors: [404, 409],
    scope: 'diary:write',
  }).mutation(async ({ ctx, input }) => {
    await requireSpace(ctx)
    const watched = watchedOf(input.watchedOn, ctx.now)
    const viewing = await viewingOf(ctx, input.id)
    const { batch, show } = await ctx.db.transaction().execute(async (trx) => {
      await lockPasses(trx, viewing)
      const before = await readShow(trx, input.id, ctx.member.id, viewing.clock)
      const { selected, marked } = selectMarked(before, input)
      const batch = await markEpisodes(
        trx,
        { ...viewing, episodes: before.episodes },
        marked,
        await passFor(trx, viewing, before, input),
        watched,
        (added) => ctx.limit('plays', String(ctx.member.id), added, trx),
      )
      const skippedCount = selected.length - (batch?.addedCount ?? 0)
      return {
        batch: batch && { ...batch, skippedCount },
        show: { ...before, viewed: await readViewed(trx, ctx.member.id, input.id) },
      }
    })
    return { progress: await readProgress(ctx.db, show, ctx.member.id), batch }
  }),

  unmark: forMembers('DELETE /tv-shows/{id}/progress', 'unsetProgress', schema.unsetProgress, {
    summary: 'Take plays of a TV show back',
    description:
      'Exactly one of `episodeIds` and `season`, of the newest pass, or `pass`. A pass without plays is no entry of the diary any longer. The undo of the batch brings the plays back.',
    errors: [404],
    scope: 'diary:write',
  }).mutation(async ({ ctx, input }) => {
    const viewing = await viewingOf(ctx, input.id)
    const { ids, batchId } = await ctx.db.transaction().execute(async (trx) => {
      await lockPasses(trx, viewing)
      const show = await readShow(trx, input.id, ctx.member.id, viewing.clock)
      const pass = input.pass ?? show.viewed?.pass ?? 0
      const episodeIds = input.episodeIds?.split(',').map(Number)
      const selection = { episodeIds, season: input.season }
      const selected =
        input.pass === undefined ? new Set(selectEpisodes(show, selection).map(({ id }) => id)) : undefined
      const plays = await store.listPlayIds(trx, ctx.member.id, input.id, pass)
      const ids = plays.filter((play) => !selected || selected.has(play.episode_id)).map(({ id }) => id)
      return { ids, batchId: await unmarkPlays(trx, viewing, ids) }
    })
    return { removedCount: ids.length, progress: await progressFor(ctx, viewing), batchId }
  }),

  plays: forMembers('GET /tv-shows/{id}/plays', 'listPlays', schema.listPlays, {
    summary: 'List the caller’s own plays of a TV show',
    description: 'Of all passes, the last added first.',
    errors: [404],
    returnsData: 'own',
  }).query(async ({ ctx, input: { id, limit, cursor } }) => {
    await showOf(ctx.db, id)
    const rows = await store.listPlaysOf(ctx.db, ctx.member.id, id, beforeOf(cursor), limit + 1)
    const { shown, nextCursor } = pageOf(rows, limit, (last) => [last.id])
    return { plays: await toPlays(ctx.db, shown), nextCursor }
  }),

  editPlay: forMembers('PATCH /plays/{id}', 'updatePlay', schema.editPlay, {
    summary: 'Change the day of a play',
    description: 'The undo of its batch then leaves it. Returns 404 for a play of another member.',
    errors: [404],
    scope: 'diary:write',
  }).mutation(async ({ ctx, input }) => {
    const watched = watchedOf(input.watchedOn, ctx.now)
    await changePlay(ctx, input.id, async (trx, play, viewing) => {
      const { clock } = viewing
      const watched_on = dayOfPlay(watched, play, clock.today)
      await store.updatePlay(trx, play.id, { watched_on, watched_at: watched.watchedAt })
      if (play.batch_id !== null) await store.updateBatch(trx, play.batch_id, { changed_at: clock.now })
      await settlePasses(trx, viewing)
    })
    const play = found(await store.findPlay(ctx.db, ctx.member.id, input.id), messages.playNotFound)
    return { play: found((await toPlays(ctx.db, [play]))[0], messages.playNotFound) }
  }),

  removePlay: forMembers('DELETE /plays/{id}', 'deletePlay', schema.removePlay, {
    summary: 'Delete a play',
    description: 'Returns 404 for a play of another member.',
    errors: [404],
    scope: 'diary:write',
  }).mutation(async ({ ctx, input }) => {
    const viewing = await changePlay(ctx, input.id, (trx, play, viewing) =>
      unmarkPlays(trx, viewing, [play.id]),
    )
    return { progress: await progressFor(ctx, viewing) }
  }),

  batches: forMembers('GET /users/me/batches', 'listBatches', schema.listBatches, {
    summary: 'List what added or removed plays of the caller',
    description: 'The newest first.',
    returnsData: 'own',
  }).query(async ({ ctx, input: { limit, cursor } }) => {
    const rows = await store.listBatchesOf(ctx.db, ctx.member.id, beforeOf(cursor), limit + 1)
    const { shown, nextCursor } = pageOf(rows, limit, (last) => [last.id])
    return { batches: shown.map(toBatch), nextCursor }
  }),

  batch: forMembers('GET /batches/{id}', 'getBatch', schema.getBatch, {
    summary: 'Get a batch of plays',
    errors: [404],
    returnsData: 'own',
  }).query(({ ctx, input: { id } }) => readBatch(ctx, id)),

  undo: forMembers('POST /batches/{id}/undo', 'undoBatch', schema.getBatch, {
    summary: 'Undo a batch of plays',
    description:
      'Removes the plays that it added, or brings back those that it removed. Plays that changed since stay. A second undo returns 409 with the reason `BATCH_UNDONE`.',
    errors: [404, 409],
    scope: 'diary:write',
  }).mutation(async ({ ctx, input: { id } }) => {
    await readBatch(ctx, id)
    const clock = await readClock(ctx)
    await ctx.db.transaction().execute(async (trx) => {
      const shows = await store.listShowsOf(trx, id)
      for (const titleId of shows) await lockPasses(trx, { userId: ctx.member.id, titleId })
      const batch = found(await store.lockBatch(trx, ctx.member.id, id), messages.batchNotFound)
      if (batch.undone_at !== null) throw new ReasonedError('CONFLICT', 'BATCH_UNDONE', messages.batchUndone)
      await undoBatch(trx, batch, shows, clock)
    })
    return readBatch(ctx, id)
  }),
})

type Own = Pick<Context, 'db' | 'now'> & { member: Member }

/** Throws NOT_FOUND for the id of another kind. */
async function showOf(db: Db, id: number): Promise<void> {
  found(await findReviewedTitle(db, { id, kind: 'tvShow' }), kinds.tvShow.words.notFound)
}

async function viewingOf(ctx: Own, titleId: number): Promise<Viewing> {
  await showOf(ctx.db, titleId)
  return { userId: ctx.member.id, titleId, clock: await readClock(ctx) }
}

async function progressFor({ db }: Own, { userId, titleId, clock }: Viewing) {
  return readProgress(db, await readShow(db, titleId, userId, clock), userId)
}

const beforeOf = (cursor: string | undefined) =>
  cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(cursor, schema.idCursor)[0]

async function readBatch({ db, member }: Own, id: number) {
  const [row] = await store.listBatches(db, [id])
  return { batch: toBatch(found(row?.user_id === member.id && row, messages.batchNotFound)) }
}

/** `change` settles the passes. Returns whose progress changed. */
async function changePlay(
  ctx: Own,
  id: number,
  change: (trx: Db, play: ShownPlay, viewing: Viewing) => Promise<unknown>,
): Promise<Viewing> {
  const clock = await readClock(ctx)
  return ctx.db.transaction().execute(async (trx) => {
    const { media_id: titleId } = found(await store.findPlay(trx, ctx.member.id, id), messages.playNotFound)
    const viewing = { userId: ctx.member.id, titleId, clock }
    await lockPasses(trx, viewing)
    const play = found(await store.findPlay(trx, ctx.member.id, id), messages.playNotFound)
    await change(trx, play, viewing)
    return viewing
  })
}

/** Throws BAD_REQUEST for a day that has not begun anywhere. */
function watchedOf(watchedOn: Selection['watchedOn'], now: Date): Watched {
  if (/^\d/.test(watchedOn) && watchedOn > latestDay(now)) throw badRequest(messages.dateInFuture)
  return { watchedOn, watchedAt: watchedOn === 'now' ? now.toISOString() : null }
}

/** Throws NOT_FOUND for an episode or a season that the show does not have, and CONFLICT if none is known. */
function selectEpisodes({ episodes }: Show, { episodeIds, upTo, season }: Partial<Selection>): Aired[] {
  if (episodes.length === 0) throw new ReasonedError('CONFLICT', 'EPISODES_UNKNOWN', messages.episodesUnknown)
  if (season !== undefined) {
    const ofSeason = episodes.filter((one) => one.season === season)
    return found(ofSeason.length > 0 && ofSeason, messages.seasonNotFound)
  }
  const byId = new Map(episodes.map((one) => [one.id, one]))
  if (upTo === undefined)
    return [...new Set(episodeIds)].map((id) => found(byId.get(id), messages.episodeNotFound))
  const last = found(byId.get(upTo), messages.episodeNotFound)
  if (last.season === 0) return [last]
  return episodes.slice(0, episodes.indexOf(last) + 1).filter((one) => one.season > 0)
}

function selectMarked(show: Show, input: Partial<Selection>): Record<'selected' | 'marked', Aired[]> {
  const selected = selectEpisodes(show, input)
  const isOneAlone = input.episodeIds?.length === 1
  return { selected, marked: isOneAlone ? selected : selected.filter(({ isAired }) => isAired) }
}

/** The newest pass, unless the member names another one, begins one, or has an entry under way without plays. Throws BAD_REQUEST. */
async function passFor(
  db: Db,
  { userId, titleId }: Viewing,
  { viewed }: Show,
  { pass, again }: Pick<Selection, 'pass' | 'again'>,
): Promise<number> {
  const newest = viewed?.pass ?? 0
  const chosen =
    pass ?? (again === true || (await hasBegun(db, userId, titleId)) ? newest + 1 : Math.max(1, newest))
  if (chosen > Math.min(newest + 1, passesMax)) throw badRequest(messages.passUnknown)
  return chosen
}

/** Whether the diary has an entry under way without plays. */
async function hasBegun(db: Db, userId: number, titleId: number): Promise<boolean> {
  return (await listEntriesOf(db, userId, titleId)).some(
    ({ pass, status }) => pass === null && (status === 'started' || status === 'paused'),
  )
}
