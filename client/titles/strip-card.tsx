import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { titlePath } from '#client/app/kinds.ts'
import { type Kind, kinds } from '#shared/domain/kinds.ts'
import { TitlePoster } from './title-card.tsx'

type Title = Parameters<typeof TitlePoster>[0]['title'] & { id: number; kind: Kind; name: string }

/** A title that the member is in the middle of. `action` is one press beside it. */
export function StripCard({
  title,
  action,
  className,
  children,
}: {
  title: Title
  action: ReactNode
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <li
      data-kind={title.kind}
      className={clsx(
        'relative flex items-center gap-3.5 rounded-card border border-line bg-surface p-2.5 hover:border-edge',
        className,
      )}
    >
      <div className="w-12 shrink-0">
        <TitlePoster title={title} sizes="3rem" />
      </div>
      <div className="min-w-0 grow">
        <Link
          to={titlePath(kinds[title.kind], title.id)}
          dir="auto"
          className="block truncate text-label after:absolute after:inset-0 after:rounded-card"
        >
          <bdi>{title.name}</bdi>
        </Link>
        {children}
      </div>
      {action}
    </li>
  )
}
