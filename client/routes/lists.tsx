import { createFileRoute } from '@tanstack/react-router'
import { loadLists } from '#client/lists/load.ts'
import { ListsScreen } from '#client/lists/lists-screen.tsx'
import { type ListsParams, readListsParams } from '#client/lists/params.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/lists')({
  // Read by the component, which is not part of the first pages; so is the loader.
  validateSearch: (search): ListsParams => search,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => loadLists(context, deps),
  head: () => ({ meta: [{ title: t`Lists` }] }),
  component: () => <ListsScreen {...readListsParams(Route.useSearch())} />,
})
