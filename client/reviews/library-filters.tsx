import { DecadeSelect, FilterSelect, FilterToggle, KindChoice } from '#client/titles/facet-selects.tsx'
import { GenreSelect } from '#client/titles/genre-select.tsx'
import { FilterDialog } from '#client/app/filter-dialog.tsx'
import type { LibraryParams } from './library-params.ts'

export function LibraryFilters({
  params,
  firstRatedAt,
  onChange,
}: {
  params: LibraryParams
  firstRatedAt: string | null | undefined
  onChange: (params: LibraryParams) => void
}) {
  const { about, kind, text, decade, genre, year } = params
  return (
    <FilterDialog values={{ about, text, decade, genre, year }} onChange={onChange}>
      {/* Beside the button, where there is room. */}
      {about ? null : (
        <div className="max-w-full sm:hidden">
          <KindChoice label="Kind" kind={kind} onChange={(next) => onChange({ kind: next })} />
        </div>
      )}
      <FilterToggle
        pressed={about === 'parts'}
        onChange={(isPressed) => onChange({ about: isPressed ? 'parts' : undefined, kind: undefined })}
      >
        Seasons and episodes
      </FilterToggle>
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
    </FilterDialog>
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
