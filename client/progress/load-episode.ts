import { notFound } from '@tanstack/react-router'
import type { RouterContext } from '#client/app/loader-context.ts'
import { withPart } from '#client/titles/part-name.ts'
import { isNotFound } from '#client/app/trpc.ts'

/** Throws `notFound()` if there is no such episode. */
export async function loadEpisode({ trpc }: RouterContext, id: number | null): Promise<{ name: string }> {
  if (id === null) throw notFound()
  try {
    const { episode, title } = await trpc.progress.episode.ensureData({ id })
    return { name: withPart(title.name, episode) }
  } catch (error) {
    throw isNotFound(error) ? notFound() : error
  }
}
