import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { namesOfWritten, nameOfWriter, textOfWrite } from './origin-text.ts'

type AboutOrigin = { entry: number } | { item: number }

/** Shows what imports wrote, newest first, below the button. Nothing is shown for what the member wrote. */
export function OriginButton({ about }: { about: AboutOrigin }) {
  const { imports } = trpc.useUtils()
  const asked =
    'entry' in about
      ? imports.entryOrigin.queryOptions({ id: about.entry })
      : imports.origins.queryOptions({ itemId: about.item })
  // Asked again each time it is shown.
  const writes = useQuery({ ...asked, staleTime: 0 }).data?.writes ?? []
  const { date } = useDates()
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  if (writes.length === 0) return null
  return (
    <div className="mt-2">
      <Button
        variant="ghost"
        size="sm"
        className="-ms-3"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        Why is this here?
      </Button>
      <ul id={listId} hidden={!isOpen} className="mt-1 grid gap-3">
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
    </div>
  )
}
