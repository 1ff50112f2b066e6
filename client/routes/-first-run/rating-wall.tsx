import { useState } from 'react'
import { interleave } from '#client/catalogue/home/interleave.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useMyRating } from '#client/titles/my-titles.ts'
import { useSaveReview } from '#client/reviews/write-hooks.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { type RouterOutputs, showFailure, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { useHalfStars } from '#client/ui/half-stars.ts'
import { type StarCount, StarsInput } from '#client/ui/stars-input.tsx'
import { titleKey } from '#client/app/kinds.ts'
import { kindOfCategory, kindsOnHome } from '#shared/domain/kinds.ts'
import { t } from '#shared/domain/message.ts'

type Item = RouterOutputs['items']['list']['items'][number]

const titlesMax = 40
const shownAtFirst = 20

export function RatingWall() {
  const [isLong, setLong] = useState(false)
  const hasHalves = useHalfStars()
  const lists = trpc.useQueries((api) =>
    kindsOnHome.map(({ kind }) =>
      api.items.list(
        { category: kind, sort: 'popularity', limit: titlesMax / kindsOnHome.length },
        // Titles must not move while they are rated.
        { staleTime: Number.POSITIVE_INFINITY },
      ),
    ),
  )
  if (lists.some((list) => list.isPending)) return <PosterGridSkeleton row count={6} />
  const failed = lists.find((list) => list.isLoadingError)
  if (failed)
    return <LoadError title="The titles did not load" error={failed.error} onRetry={failed.refetch} />
  const titles = interleave(
    lists.map((list) => list.data?.items ?? []),
    ({ id }) => String(id),
    isLong ? titlesMax : shownAtFirst,
  )
  return (
    <div>
      <ul
        aria-label="Well-known titles to rate"
        // Relative: hidden texts outside of its view must not widen the page.
        // Five stars with halves that a finger hits are wider than a picture.
        className={`${hasHalves ? 'auto-cols-[15rem]' : 'auto-cols-[8rem]'} scroll-row relative -mx-1 grid grid-flow-col grid-rows-2 gap-x-4 gap-y-5 px-1 py-1`}
      >
        {titles.map((item) => (
          <li key={item.id}>
            <WallTitle item={item} />
          </li>
        ))}
        {isLong ? null : (
          <li className="row-span-2 grid place-items-center">
            <Button onClick={() => setLong(true)}>More titles</Button>
          </li>
        )}
      </ul>
    </div>
  )
}

function WallTitle({ item: { id, name, category, imageUrl } }: { item: Item }) {
  const kind = kindOfCategory(category)!
  const rating = useMyRating(id)
  const save = useSaveReview({ kind, id })
  return (
    <div data-kind={kind}>
      <div className="w-32">
        <TitlePoster title={{ kind, name, imageUrl }} sizes="8rem" />
      </div>
      <p dir="auto" className="mt-1.5 truncate text-meta font-medium" title={name}>
        {name}
      </p>
      <StarsInput
        label={t`Your rating of “${name}”`}
        hideLabel
        compact
        bare
        required
        value={(rating ?? null) as StarCount | null}
        onChange={(stars) => {
          if (stars === null) return
          save.mutate(
            { ...titleKey({ kind, id }), rating: stars },
            {
              onError: (error) => showFailure(t`Your rating was not saved`, error),
            },
          )
        }}
      />
    </div>
  )
}
