import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Heart, Link2, Lock, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { toList } from '#client/app/links.ts'
import { TitlePoster } from '#client/titles/title-card.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { type ListVisibility, visibilityLabels } from '#shared/domain/visibilities.ts'
import type { ListCard as List } from './hooks.ts'
import { plural } from '#shared/domain/message.ts'

const icons = { private: Lock, link: Link2, followers: UsersRound }

export function VisibilityIcon({ visibility }: { visibility: ListVisibility }) {
  if (visibility === 'public') return null
  const Icon = icons[visibility]
  return (
    <span title={visibilityLabels[visibility]} className="inline-flex align-middle [&_svg]:size-4">
      <Icon aria-hidden />
      <VisuallyHidden>{visibilityLabels[visibility]}</VisuallyHidden>
    </span>
  )
}

export function titleCount(titles: number): string {
  return plural(titles, { one: '# title', other: '# titles' })
}

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-x-6 gap-y-8'

export function ListCards({ label, lists }: { label: string; lists: readonly List[] }) {
  return (
    <ul aria-label={label} className={grid}>
      {lists.map((list) => (
        <li key={list.id} className="min-w-0">
          <ListCard list={list} />
        </li>
      ))}
    </ul>
  )
}

export function ListCardsSkeleton({ count = 6 }: { count?: number }) {
  return (
    <div role="status" aria-label="Loading lists…" className={clsx('animate-appear', grid)}>
      {Array.from({ length: count }, (_, at) => (
        <div key={at}>
          <Skeleton className="aspect-[2/1] rounded-card" />
          <Skeleton className="mt-3 h-5 w-3/4 rounded-full" />
          <Skeleton className="mt-2 h-4 w-1/2 rounded-full" />
        </div>
      ))}
    </div>
  )
}

function ListCard({ list }: { list: List }) {
  const { count } = useFormats()
  return (
    <article className="poster-card relative">
      <Collage list={list} />
      <p className="mt-3 line-clamp-2 font-display text-h3 text-balance wrap-anywhere">
        <Link {...toList(list.id)} className="card-link after:absolute after:inset-0 after:rounded-card">
          <bdi>{list.title}</bdi>
        </Link>
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 text-meta text-muted">
        <span dir="auto" className="truncate">
          by <bdi>{list.owner.username}</bdi>
        </span>
        <span aria-hidden>·</span>
        <span className="tabular-nums">{titleCount(list.itemCount)}</span>
        {list.likeCount === 0 ? null : (
          <Fact icon={<Heart aria-hidden />} label={plural(list.likeCount, { one: 'like', other: 'likes' })}>
            {count(list.likeCount)}
          </Fact>
        )}
        <VisibilityIcon visibility={list.visibility} />
      </p>
      {list.description === '' ? null : (
        <p dir="auto" className="mt-1 line-clamp-2 text-meta text-pretty wrap-anywhere">
          {list.description}
        </p>
      )}
    </article>
  )
}

function Fact({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1 tabular-nums [&_svg]:size-3.5">
      {icon}
      {children}
      <VisuallyHidden> {label}</VisuallyHidden>
    </span>
  )
}

const tilts = ['-rotate-6', '-rotate-3', '', 'rotate-3', 'rotate-6']

export function Collage({
  list: { previewTitles },
  className,
}: {
  list: Pick<List, 'previewTitles'>
  className?: string
}) {
  return (
    <div
      aria-hidden
      className={clsx(
        'flex aspect-[2/1] items-center justify-center overflow-hidden rounded-card bg-raised px-[8%]',
        className,
      )}
    >
      {previewTitles.map((title, at) => (
        <div
          key={title.id}
          className={clsx(
            'w-[30%] shrink-0 not-first:-ms-[12%] shadow-float',
            tilts[at + Math.floor((tilts.length - previewTitles.length) / 2)],
          )}
        >
          <TitlePoster title={title} sizes="6rem" noImageText="" />
        </div>
      ))}
    </div>
  )
}
