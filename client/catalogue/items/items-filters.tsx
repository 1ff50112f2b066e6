import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { DecadeSelect, FilterToggle, GenreSelect } from '#client/facet-selects.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import type { ItemsParams } from './params.ts'

/** A button that opens the filters of the catalogue; they apply at once. */
export function ItemsFilters({
  params,
  onChange,
}: {
  params: ItemsParams
  onChange: (params: ItemsParams) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const { category, genre, decade, unrated, network } = params
  const active = [genre, decade, unrated, network].filter((value) => value !== undefined).length
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
          <GenreSelect kind={category} value={genre} onChange={(next) => onChange({ genre: next })} />
          <DecadeSelect value={decade} onChange={(next) => onChange({ decade: next })} />
          <FilterToggle
            pressed={unrated === 'yes'}
            onChange={(isPressed) => onChange({ unrated: isPressed ? 'yes' : undefined })}
          >
            Not rated by me
          </FilterToggle>
          <FilterToggle
            pressed={network === 'yes'}
            onChange={(isPressed) => onChange({ network: isPressed ? 'yes' : undefined })}
          >
            Rated by people I follow
          </FilterToggle>
        </div>
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          <Button
            disabled={active === 0}
            onClick={() =>
              onChange({ genre: undefined, decade: undefined, unrated: undefined, network: undefined })
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
