import { trpc } from '#client/app/trpc.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { type FacetProps, FilterSelect } from './facet-selects.tsx'
import { genreText } from './genres.ts'

/** In a file of its own, because the pages without it do without the names of genres. */
export function GenreSelect({ kind, value, onChange }: FacetProps<string> & { kind: Kind | undefined }) {
  const { data } = trpc.items.genres.useQuery({ category: kind }, { staleTime: 5 * 60_000 })
  const names = data?.genres.map(({ name }) => name) ?? []
  const shown = value === undefined || names.includes(value) ? names : [...names, value]
  const options = shown.map((name) => ({ value: name, label: genreText(name) }))
  return <FilterSelect label="Genre" all="Any" value={value} options={options} onChange={onChange} />
}
