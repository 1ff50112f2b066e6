import { Link } from '@tanstack/react-router'
import { trpc } from '#client/app/trpc.ts'
import { Section } from '#client/ui/section.tsx'
import type { ImportDetail } from '#shared/contracts/imports.ts'
import { visibilityLabels } from '#shared/domain/visibilities.ts'
import { titleStateNames } from './labels.ts'
import { plural } from '#shared/domain/message.ts'

export function ListsOfFile({ one: { id } }: { one: ImportDetail }) {
  const lists = trpc.imports.lists.useQuery({ id }).data?.lists ?? []
  if (lists.length === 0) return null
  return (
    <Section title="Your lists" className="card">
      <ul aria-label="Lists of the file" className="max-h-[50vh] divide-y divide-line overflow-y-auto">
        {lists.map(({ name, itemCount, visibility, state, listId }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- names may repeat, and the order stays
          <li key={at} className="flex flex-wrap items-baseline gap-x-3 py-2">
            <span className="min-w-0 grow text-label wrap-anywhere">
              {listId === null ? (
                name
              ) : (
                <Link to="/list/$listId" params={{ listId: String(listId) }} search={{}} className="link">
                  {name}
                </Link>
              )}
            </span>
            <span className="text-meta text-muted tabular-nums">
              {[
                plural(itemCount, { one: '# title', other: '# titles' }),
                titleStateNames[state],
                ...(state === 'new' ? [visibilityLabels[visibility]] : []),
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-meta text-muted">
        A list of yours with the same name keeps its settings and gets the titles that it lacks.
      </p>
    </Section>
  )
}
