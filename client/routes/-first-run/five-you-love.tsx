import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { type CardTitle, titleKey } from '#client/app/kinds.ts'
import { savingReview } from '#client/reviews/write-hooks.ts'
import { loadMyRating } from '#client/titles/my-titles.ts'
import { useAllFavorites } from '#client/social/hooks.ts'
import { settingFavorite, useSetFavorite } from '#client/social/favorite-hooks.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { runMutation, showFailure } from '#client/app/trpc.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { ratingMax } from '#shared/domain/limits.ts'
import { TitlePicker } from '#client/titles/title-picker.tsx'
import { t } from '#shared/domain/message.ts'

const favoritesMax = 5

/** A chosen title becomes a favorite and is rated five stars. */
export function FiveYouLove({ userId }: { userId: number }) {
  const [isSearching, setSearching] = useState(false)
  const favorites = useAllFavorites(userId)
    .flatMap(({ data }) => data ?? [])
    .slice(0, favoritesMax)
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
    async mutationFn(title: CardTitle) {
      await runMutation(settingFavorite(title), true)
      // A rating that the member has given stays.
      if ((await loadMyRating(queryClient, title.id)) === null)
        await runMutation(savingReview(title), { ...titleKey(title), rating: ratingMax })
    },
    onError: (error) => showFailure(t`Your favorite was not saved`, error),
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
