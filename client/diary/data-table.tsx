import { ChevronDown } from 'lucide-react'
import { useDates } from '#client/ui/dates.ts'
import { useFormats } from '#client/ui/formats.ts'
import { allKinds } from '#shared/domain/kinds.ts'
import type { Year } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

/** The first cell of each row is its heading. */
export function DataTable({
  caption,
  head,
  rows,
}: {
  caption: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
}) {
  return (
    <details className="group mt-3">
      <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-1 rounded-item text-meta text-muted hover:text-ink">
        Show as table
        <ChevronDown aria-hidden className="size-4 transition-[rotate] group-open:rotate-180" />
      </summary>
      <table className="w-full text-start text-meta wrap-anywhere tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {head.map((text) => (
              <th key={text} scope="col" className="py-1.5 pe-2 sm:pe-4 font-semibold">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([heading, ...cells]) => (
            <tr key={heading} className="border-t border-line">
              <th scope="row" className="py-1.5 pe-2 sm:pe-4 font-medium">
                {heading}
              </th>
              {cells.map((text, index) => (
                <td key={head[index + 1]} className="py-1.5 pe-2 sm:pe-4">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

export function MonthsTable({ year: { year, months } }: { year: Year }) {
  const { month } = useDates()
  const { count } = useFormats()
  return (
    <DataTable
      caption={t`Finished in ${year}, per month`}
      head={[t`Month`, ...allKinds.map(({ words }) => words.many)]}
      rows={months.map((at) => [
        month(`${year}-${String(at.month).padStart(2, '0')}`, 'long'),
        ...allKinds.map(({ kind }) => count(at[kind])),
      ])}
    />
  )
}
