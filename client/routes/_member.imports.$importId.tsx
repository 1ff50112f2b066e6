import { createFileRoute } from '@tanstack/react-router'
import { ImportPending, ImportScreen } from '#client/imports/import-screen.tsx'
import { type ImportParams, readImportParams } from '#client/imports/params.ts'
import { readId } from '#client/app/params.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/imports/$importId')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): ImportParams => search,
  loader: ({ context: { trpc }, params }) => {
    const id = readId(params.importId)
    if (id !== null) void trpc.imports.byId.prefetch({ id })
  },
  head: () => ({ meta: [{ title: t`Import` }] }),
  component: ImportRoute,
  pendingComponent: ImportPending,
})

function ImportRoute() {
  const id = readId(Route.useParams().importId)
  return <ImportScreen key={id} id={id} params={readImportParams(Route.useSearch())} />
}
