import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { errorText, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import type { Write } from '#shared/contracts/origins.ts'
import { namesOfWritten, nameOfWriter, textOfWrite } from './origin-text.ts'

/** A list: only that the title is in it. */
type AboutOrigin = { entry: number } | { item: number; list?: number }

/**
 * Shows what imports wrote, newest first, below the button. If it is known that one did, it is asked for with the first press; else with the
 * first render, and nothing is shown for what the member wrote.
 */
export function OriginButton({ about, isWritten = false }: { about: AboutOrigin; isWritten?: boolean }) {
  const { imports } = trpc.useUtils()
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  const asked =
    'entry' in about
      ? imports.entryOrigin.queryOptions({ id: about.entry })
      : imports.origins.queryOptions({ itemId: about.item })
  // Asked again each time it is shown.
  const query = useQuery({ ...asked, staleTime: 0, enabled: !isWritten || isOpen })
  const writes = (query.data?.writes ?? []).filter(
    ({ what, id }) => !('list' in about) || (what === 'listItem' && id === about.list),
  )
  if (writes.length === 0 && !isWritten) return null
  return (
    <div className="mt-2">
      <Button
        variant="ghost"
        size="sm"
        className="-ms-3"
        aria-expanded={isOpen}
        aria-controls={listId}
        busy={isOpen && query.isLoading}
        onClick={() => setOpen(!isOpen)}
      >
        Why is this here?
      </Button>
      <div id={listId} hidden={!isOpen} className="mt-1">
        {query.isError && query.data === undefined ? (
          <p className="text-meta text-muted">{errorText(query.error)}</p>
        ) : writes.length > 0 ? (
          <Writes writes={writes} />
        ) : query.data ? (
          <p className="text-meta text-muted">An earlier import wrote it. Nothing more is known.</p>
        ) : null}
      </div>
    </div>
  )
}

function Writes({ writes }: { writes: readonly Write[] }) {
  const { date } = useDates()
  return (
    <ul className="grid gap-3">
      {writes.map((write) => (
        <li key={`${write.what} ${write.id} ${write.by.id} ${write.at}`} className="text-meta">
          <p className="font-medium">{namesOfWritten[write.what]}</p>
          <p className="wrap-anywhere text-muted tabular-nums">{textOfWrite(write, date)}</p>
          {write.by.id === null ? null : (
            <Link
              to="/imports/$importId"
              params={{ importId: String(write.by.id) }}
              className="link inline-flex min-h-9 items-center"
            >
              Open the import<VisuallyHidden> {nameOfWriter(write.by)}</VisuallyHidden>
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
