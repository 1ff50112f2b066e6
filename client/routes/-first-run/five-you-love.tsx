import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { type CardTitle, favoritesRouter, titleKey } from '#client/app/kinds.ts'
import { getMyRating, setMyRating } from '#client/titles/my-titles.ts'
import { useFavorites } from '#client/social/hooks.ts'
import { useSetFavorite } from '#client/social/favorite-hooks.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { showFailure, trpcClient } from '#client/app/trpc.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { ratingMax } from '#shared/domain/limits.ts'
import { allKinds, kinds } from '#shared/domain/kinds.ts'
import type { FoundTitle } from '#client/titles/found-titles.tsx'
import { TitlePicker } from '#client/titles/title-picker.tsx'
import { t } from '#shared/domain/message.ts'

const favoritesMax = 5

/** A chosen title becomes a favorite and is rated five stars. */
export function FiveYouLove({ userId }: { userId: number }) {
  const [isSearching, setSearching] = useState(false)
  const favorites = useAllFavorites(userId).slice(0, favoritesMax)
  return (
    <section aria-labelledby="five-you-love">
      <h3 id="five-you-love" className="text-h3">
        Five you love
      </h3>
      <p className="mt-0.5 text-meta text-muted">They become favorites on your profile, with five stars.</p>
      <ul className="mt-3 grid max-w-160 grid-cols-5 gap-2 sm:gap-4">
        {favorites.map((title) => (
          <li key={title.id}>
            <LovedTitle title={title} />
          </li>
        ))}
        {Array.from({ length: favoritesMax - favorites.length }, (_, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- they are all alike
          <li key={index}>
            <button
              type="button"
              aria-label={t`Choose number ${favorites.length + index + 1}`}
              aria-expanded={isSearching}
              onClick={() => setSearching(true)}
              className="grid aspect-[2/3] w-full place-items-center rounded-poster border border-dashed border-edge text-muted hover:border-ink hover:text-ink"
            >
              <Plus aria-hidden className="size-5" />
            </button>
          </li>
        ))}
      </ul>
      {isSearching && favorites.length < favoritesMax ? (
        <Search count={favorites.length} onDone={() => setSearching(false)} />
      ) : null}
    </section>
  )
}

function useAllFavorites(userId: number): CardTitle[] {
  return allKinds.flatMap(
    // oxlint-disable-next-line react-hooks/rules-of-hooks, react/rules-of-hooks -- always the same kinds
    (definition) => useFavorites(definition, userId).data ?? [],
  )
}

function LovedTitle({ title }: { title: CardTitle }) {
  const set = useSetFavorite(title)
  return (
    <div className="relative">
      <TitlePoster title={title} sizes="8rem" />
      <IconButton
        label={t`Remove “${title.name}” from your favorites`}
        size="sm"
        variant="soft"
        busy={set.isPending}
        onClick={() => set.mutate(false)}
        className="absolute -top-2 -inset-e-2"
      >
        <X aria-hidden />
      </IconButton>
    </div>
  )
}

function Search({ count, onDone }: { count: number; onDone: () => void }) {
  const queryClient = useQueryClient()
  const love = useMutation({
    async mutationFn({ id, kind }: FoundTitle) {
      const definition = kinds[kind]
      const input = titleKey({ kind, id })
      await favoritesRouter(trpcClient, definition).add.mutate(input)
      // A rating that the member has given stays.
      if ((getMyRating(queryClient, id) ?? null) === null) {
        await trpcClient.reviews.save.mutate({ ...input, rating: ratingMax })
        setMyRating(queryClient, id, ratingMax)
      }
    },
    onError: (error) => showFailure(t`Your favorite was not saved`, error),
    onSettled: (_, __, { id }) => Promise.all([changed('favorite', id), changed('rating', id)]),
  })
  return (
    <div className="mt-4 max-w-160 rounded-field border border-line p-4" aria-busy={love.isPending}>
      {/* Empty again after each title. */}
      <TitlePicker
        key={count}
        label={t`Number ${count + 1}`}
        onChoose={(title) => {
          if (!love.isPending) love.mutate(title)
        }}
      />
      <Button variant="ghost" onClick={onDone}>
        Done
      </Button>
    </div>
  )
}
