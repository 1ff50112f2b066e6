import { DecadeSelect, FilterToggle, GenreSelect } from '#client/facet-selects.tsx'
import { FilterDialog } from '#client/filter-dialog.tsx'
import type { ItemsParams } from './params.ts'

/** A button that opens the filters of the catalogue; they apply at once. */
export function ItemsFilters({
  params,
  onChange,
}: {
  params: ItemsParams
  onChange: (params: ItemsParams) => void
}) {
  const { category, genre, decade, unrated, network } = params
  return (
    <FilterDialog values={{ genre, decade, unrated, network }} onChange={onChange}>
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
    </FilterDialog>
  )
}
