import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { changed } from '#client/app/facts.ts'
import { useDebounced } from '#client/app/debounced.ts'
import { errorText, trpc } from '#client/app/trpc.ts'
import { uploadPicture } from '#client/app/upload.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'

const duplicatesMax = 4

export type NewMovie = { name: string; description: string; poster: File | null }

export class CreationError extends Error {
  readonly reason: string
  constructor(message: string, reason: string) {
    super(message)
    this.reason = reason
  }
}

/** If the upload fails, the movie is not created. */
export function useCreateMovie(onStep: (step: 'uploading' | 'creating') => void) {
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
    onSuccess: () => changed('catalogue'),
  })
}

export function useNearDuplicates(name: string) {
  const input = useDebounced(name.trim())
  const found = trpc.items.search.useQuery(
    { q: input, category: kinds.movie.words.category, limit: duplicatesMax },
    { enabled: input.length >= 2, placeholderData: keepPreviousData },
  )
  return input.length < 2 ? [] : (found.data?.results ?? [])
}

/** Regardless of case and accents. */
export function useFindDuplicate() {
  const utils = trpc.useUtils()
  return async (name: string) => {
    const input = { q: name, category: kinds.movie.words.category, limit: duplicatesMax }
    const { results } = await utils.items.search.fetch(input)
    return results.find((item) => isSameName(item.name, name))
  }
}

const collator = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true })

function isSameName(one: string, other: string): boolean {
  return collator.compare(one.trim(), other.trim()) === 0
}
