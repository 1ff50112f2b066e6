import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { DecadeSelect, FilterSelect, FilterToggle, GenreSelect } from '#client/facet-selects.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import type { LibraryParams } from './library-params.ts'

/** A button that opens the filters of a library; they apply at once. The stars are filtered by the bars above. */
export function LibraryFilters({
  params,
  firstRatedAt,
  onChange,
}: {
  params: LibraryParams
  firstRatedAt: string | null | undefined
  onChange: (params: LibraryParams) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const { kind, text, decade, genre, year } = params
  const active = [text, decade, genre, year].filter((value) => value !== undefined).length
  return (
    <>
      <Button
        variant="outline"
        icon={<SlidersHorizontal aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {active === 0 ? 'Filter' : `Filter (${active})`}
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Filter">
        <div className="grid justify-items-start gap-4">
          <FilterToggle
            pressed={text === 'yes'}
            onChange={(isPressed) => onChange({ text: isPressed ? 'yes' : undefined })}
          >
            With text
          </FilterToggle>
          <DecadeSelect value={decade} onChange={(next) => onChange({ decade: next })} />
          <GenreSelect kind={kind} value={genre} onChange={(next) => onChange({ genre: next })} />
          <FilterSelect
            label="Year rated"
            all="Any"
            value={year}
            options={yearsSince(firstRatedAt, year)}
            onChange={(next) => onChange({ year: next })}
          />
        </div>
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          <Button
            disabled={active === 0}
            onClick={() =>
              onChange({ text: undefined, decade: undefined, genre: undefined, year: undefined })
            }
          >
            Clear
          </Button>
          <Button variant="primary" onClick={() => setOpen(false)}>
            Done
          </Button>
        </div>
      </Dialog>
    </>
  )
}

function yearsSince(first: string | null | undefined, chosen: number | undefined) {
  const now = new Date().getUTCFullYear()
  const start = Math.min(first ? Number(first.slice(0, 4)) : now, chosen ?? now)
  return Array.from({ length: Math.max(1, now - start + 1) }, (_, index) => ({
    value: now - index,
    label: String(now - index),
  }))
}
