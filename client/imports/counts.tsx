import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useFormats } from '#client/ui/formats.ts'
import { Stat, Stats } from '#client/ui/stat.tsx'
import type { ImportDetail } from '#shared/contracts/imports.ts'
import { type ImportParams, openStates, toImport } from './params.ts'
import { titleStateNames } from './labels.ts'

const shown: readonly { key: string; colour: string }[] = [
  { key: 'taken', colour: 'bg-ok' },
  { key: 'new', colour: 'bg-ink' },
  { key: 'newer', colour: 'bg-book' },
  { key: 'ambiguous', colour: 'bg-star' },
  { key: 'conflict', colour: 'bg-game' },
  { key: 'notFound', colour: 'bg-movie' },
  { key: 'pending', colour: 'bg-edge/60' },
  { key: 'left', colour: 'bg-muted' },
  { key: 'gone', colour: 'bg-muted' },
  { key: 'same', colour: 'bg-edge' },
  { key: 'notKept', colour: 'bg-star-off' },
]

function target(key: string): ImportParams {
  if (key === 'unreadable' || key === 'repeated') return { tab: 'titles', lines: key }
  if ((openStates as readonly string[]).includes(key)) return { tab: 'decide', state: key as 'ambiguous' }
  return { tab: 'titles', state: key as 'new' }
}

export function Counts({ one: { id, counts, notKept } }: { one: ImportDetail }) {
  const { count } = useFormats()
  const present = shown.filter(({ key }) => (counts[key] ?? 0) > 0)
  const lines = notKept.reduce((sum, one) => sum + one.count, 0)
  const link = (search: ImportParams) => <Link {...toImport(id, search)} replace viewTransition={false} />
  const ofLines = (['unreadable', 'repeated'] as const).filter((key) => (counts[key] ?? 0) > 0)
  return (
    <div>
      <div aria-hidden className="flex h-3 gap-0.5 overflow-hidden rounded-full bg-raised">
        {present.map(({ key, colour }) => (
          <div key={key} style={{ flexGrow: counts[key] }} className={clsx('min-w-1', colour)} />
        ))}
      </div>
      <Stats className="mt-4 grid-cols-[repeat(auto-fill,minmax(8.25rem,1fr))]!">
        {present.map(({ key, colour }) => (
          <Stat
            key={key}
            value={
              <span className="flex items-center gap-2">
                {count(counts[key]!)}
                <span aria-hidden className={clsx('size-2.5 rounded-full', colour)} />
              </span>
            }
            label={titleStateNames[key]}
            render={link(target(key))}
          />
        ))}
        {ofLines.map((key) => (
          <Stat
            key={key}
            value={<span className={clsx(key === 'unreadable' && 'text-danger')}>{count(counts[key]!)}</span>}
            label={titleStateNames[key]}
            render={link(target(key))}
          />
        ))}
        {lines > 0 ? (
          <Stat
            value={count(lines)}
            label="Left in the file"
            render={link({ tab: 'titles', lines: 'notKept' })}
          />
        ) : null}
      </Stats>
      {lines > 0 || (counts['notKept'] ?? 0) > 0 ? (
        <p className="mt-3 text-meta text-muted">
          “Left in the file” are lines that Medley has no place for yet, such as comments and tags. They stay
          in this import.
        </p>
      ) : null}
    </div>
  )
}
