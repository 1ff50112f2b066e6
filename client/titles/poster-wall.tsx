import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type Kind, kinds } from '#shared/domain/kinds.ts'
import { titlePath } from '#client/app/kinds.ts'
import { TitlePoster } from './title-card.tsx'

/** `isSeamless` is for a grid with round corners of its own. */
export function PosterWall({
  label,
  titles,
  isSeamless = false,
  className,
}: {
  label: string
  titles: readonly { id: number; kind: Kind; name: string; imageUrl: string | null }[]
  isSeamless?: boolean | undefined
  className: string
}) {
  return (
    <ul aria-label={label} className={clsx('grid', className)}>
      {titles.map((title) => (
        <li key={title.id}>
          <Link
            to={titlePath(kinds[title.kind], title.id)}
            aria-label={title.name}
            title={title.name}
            className={
              isSeamless
                ? 'block transition-opacity hover:opacity-75 focus-visible:-outline-offset-4'
                : 'block rounded-item'
            }
          >
            <TitlePoster
              title={title}
              sizes="(min-width: 40rem) 6.5rem, 5rem"
              noImageText=""
              className={isSeamless ? 'rounded-none!' : 'rounded-item!'}
            />
          </Link>
        </li>
      ))}
    </ul>
  )
}
