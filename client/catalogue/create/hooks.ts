import { useMutation } from '@tanstack/react-query'
import { errorText, trpc } from '#client/trpc.ts'
import { messages } from '#shared/messages.ts'

/** Sends a picture and answers its address; fails with words for people. */
export type UploadPicture = (file: File) => Promise<string>

export type NewMovie = { name: string; description: string; poster: File | null }

/** A step that failed: its name in the product's words, and why. */
export class CreationError extends Error {
  readonly reason: string
  constructor(message: string, reason: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * The poster first, then the movie: without its poster it is not made. `onStep` tells where it stands.
 * The new movie is one more in the library.
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
