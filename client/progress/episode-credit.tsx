import { clsx } from 'clsx'
import { tvmaze } from '#shared/domain/tvmaze.ts'

/** The license of TVmaze requires it where its episodes are shown. Other sources are named at the end of each page. */
export function EpisodeCredit({ source, className }: { source: string | null; className: string }) {
  if (source !== 'tvmaze') return null
  return (
    <p className={clsx('text-meta text-muted', className)}>
      The episodes are from{' '}
      <a href={tvmaze.href} target="_blank" rel="noreferrer" className="link">
        {tvmaze.name}
      </a>
      , under the license{' '}
      <a href={tvmaze.license.href} target="_blank" rel="noreferrer license" className="link">
        {tvmaze.license.name}
      </a>
      .
    </p>
  )
}
