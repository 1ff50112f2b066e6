import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FilterSelect } from '#client/titles/facet-selects.tsx'
import { LoadError } from '#client/app/load-error.tsx'
import { titlePath } from '#client/app/kinds.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { trpc } from '#client/app/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { lengthText } from './entries.ts'
import { type DiaryEntry, useNetworkRatings } from './hooks.ts'
import { type DiaryParams, lengthFilter, lengths } from './params.ts'
import { RatedBy } from './rated-by.tsx'

const randomSeed = () => Math.floor(Math.random() * 2 ** 31)

export function PickDialog({ params, ...control }: DialogControl & { params: DiaryParams }) {
  return (
    <Dialog {...control} title="Pick one for me">
      <Pick params={params} />
    </Dialog>
  )
}

function Pick({ params: { kind, length, services } }: { params: DiaryParams }) {
  const [time, setTime] = useState(length)
  const [isRated, setRated] = useState(false)
  const [draw, setDraw] = useState<{ seed: number; not: number | undefined }>(() => ({
    seed: randomSeed(),
    not: undefined,
  }))
  const pick = trpc.diary.pick.useQuery(
    {
      kind,
      onMyServices: services && true,
      ...lengthFilter(time),
      isRatedByNetwork: isRated || undefined,
      ...draw,
    },
    { staleTime: Infinity, placeholderData: (before) => before },
  )
  const entry = pick.data?.entry
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <FilterSelect label="Free time" all="Any length" value={time} options={lengths} onChange={setTime} />
        <Checkbox label="Rated by people I follow" checked={isRated} onChange={setRated} />
      </div>
      <div role="status" aria-busy={pick.isFetching} className="stale min-h-44">
        {pick.isPending ? (
          <>
            <span className="sr-only">{messages.loading}</span>
            <Skeleton className="h-44 animate-appear rounded-card" />
          </>
        ) : pick.data === undefined ? (
          <LoadError title="Nothing was picked" error={pick.error} onRetry={pick.refetch} />
        ) : entry ? (
          <Picked entry={entry} />
        ) : (
          <p className="text-muted">No title of your want list matches.</p>
        )}
      </div>
      <div className="actions">
        <Button
          disabled={(pick.data?.count ?? 0) < 2}
          onClick={() => setDraw({ seed: randomSeed(), not: entry?.id })}
        >
          Another one
        </Button>
        {entry ? (
          <ButtonLink
            variant="primary"
            render={<Link to={titlePath(kinds[entry.title.kind], entry.title.id)} />}
          >
            Open
          </ButtonLink>
        ) : null}
      </div>
    </div>
  )
}

function Picked({ entry }: { entry: DiaryEntry }) {
  const { title, text } = entry
  const rating = useNetworkRatings([title.id]).data?.get(title.id)
  return (
    <div data-kind={title.kind} className="flex gap-4">
      <TitlePoster title={title} sizes="7rem" noImageText="" className="w-28! shrink-0" />
      <div className="min-w-0">
        <p className="font-display text-h3 wrap-anywhere">
          <bdi>{title.name}</bdi>
        </p>
        <p className="mt-1 text-meta text-muted">
          {[kinds[title.kind].words.one, title.releaseYear, lengthText(entry)].filter(Boolean).join(' · ')}
        </p>
        <div className="mt-2">
          <RatedBy rating={rating} />
        </div>
        {text === '' ? null : (
          <p dir="auto" className="mt-2 line-clamp-3 text-meta wrap-anywhere">
            {text}
          </p>
        )}
      </div>
    </div>
  )
}
