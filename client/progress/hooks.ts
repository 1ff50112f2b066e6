import { useMutation } from '@tanstack/react-query'
import { changed } from '#client/app/facts.ts'
import { runMutation, showFailure, trpcClient } from '#client/app/trpc.ts'
import { showDone } from '#client/ui/toasts.ts'
import { episodeTitle } from '#client/titles/part-name.ts'
import type { Episode } from '#shared/contracts/progress.ts'
import { plural, t } from '#shared/domain/message.ts'

/** Exactly one of `episode`, `upTo` and `season` says what. */
type Marking = {
  isWatched: boolean
  episode?: Pick<Episode, 'id' | 'season' | 'number' | 'name'>
  upTo?: number
  season?: number
}

async function send(id: number, { isWatched, episode, upTo, season }: Marking) {
  if (isWatched) {
    const { batch } = await trpcClient.progress.mark.mutate({
      id,
      episodeIds: episode && [episode.id],
      upTo,
      season,
    })
    return { batchId: batch?.id ?? null, count: batch?.addedCount ?? 0 }
  }
  const { batchId, removedCount } = await trpcClient.progress.unmark.mutate({
    id,
    episodeIds: episode && String(episode.id),
    season,
  })
  return { batchId, count: removedCount }
}

function undo(showId: number, batchId: number): void {
  const undoing = {
    mutationFn: () => trpcClient.progress.undo.mutate({ id: batchId }),
    onSuccess: () => changed('progress', showId),
  }
  runMutation(undoing, undefined).catch((error) => showFailure(t`It was not undone`, error))
}

function doneText({ isWatched, episode }: Marking, count: number): string {
  if (episode !== undefined) {
    const name = episodeTitle(episode)
    return isWatched ? t`Watched: ${name}` : t`Not watched any longer: ${name}`
  }
  return isWatched
    ? plural(count, { one: '# episode is marked as watched', other: '# episodes are marked as watched' })
    : plural(count, {
        one: '# episode is not marked any longer',
        other: '# episodes are not marked any longer',
      })
}

/** `isQuiet`: what was pressed also takes it back, so a toast would only be in the way. */
export function useMark(showId: number, { isQuiet = false } = {}) {
  return useMutation({
    mutationFn: (marking: Marking) => send(showId, marking),
    onSuccess({ batchId, count }, marking) {
      if (!isQuiet && batchId !== null) showDone(doneText(marking, count), () => undo(showId, batchId))
      return changed('progress', showId)
    },
    onError: (error) => showFailure(t`Your progress was not changed`, error),
  })
}

/** A pass begins with its first play: of the first episode of this season. */
export function useWatchAgain(showId: number, season: number) {
  return useMutation({
    async mutationFn() {
      const { episodes } = await trpcClient.progress.season.query({ id: showId, number: season })
      const episode = episodes[0]!
      const { batch } = await trpcClient.progress.mark.mutate({
        id: showId,
        episodeIds: [episode.id],
        again: true,
      })
      return { episode, batch }
    },
    onSuccess({ episode, batch }) {
      if (batch !== null) showDone(doneText({ isWatched: true, episode }, 1), () => undo(showId, batch.id))
      return changed('progress', showId)
    },
    onError: (error) => showFailure(t`Your progress was not changed`, error),
  })
}
