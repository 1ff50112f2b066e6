import { useMutation } from '@tanstack/react-query'
import { errorText, trpc } from '#client/trpc.ts'
import { messages } from '#shared/messages.ts'

/** Uploads a picture and returns its URL. Rejects with a message for users. */
export type UploadPicture = (file: File) => Promise<string>

export type NewMovie = { name: string; description: string; poster: File | null }

/** A failed step: its message for users, and the reason. */
export class CreationError extends Error {
  readonly reason: string
  constructor(message: string, reason: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Uploads the poster, then creates the movie; if the upload fails, it is not created. `onStep` reports the progress.
 * Invalidates the list of items.
 */
export function useCreateMovie(
  uploadPicture: UploadPicture,
  onStep: (step: 'uploading' | 'creating') => void,
) {
  const utils = trpc.useUtils()
  return useMutation({
    async mutationFn({ name, description, poster }: NewMovie) {
      let imageUrl: string | null = null
      if (poster !== null) {
        onStep('uploading')
        imageUrl = await uploadPicture(poster).catch((error: unknown) => {
          throw new CreationError(messages.posterFailed, (error as Error).message)
        })
      }
      onStep('creating')
      const { movie } = await utils.client.movies.create
        .mutate({ name, description: description || null, imageUrl })
        .catch((error: unknown) => {
          throw new CreationError(messages.movieFailed, errorText(error))
        })
      return movie
    },
    onSuccess: () => utils.items.list.invalidate(),
  })
}
