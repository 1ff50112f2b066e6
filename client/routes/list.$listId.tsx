import { createFileRoute, Link, useRouter } from '@tanstack/react-router'
import { ListOrdered } from 'lucide-react'
import { useEffect, useState } from 'react'
import { loadList } from '#client/lists/load.ts'
import { ListScreen } from '#client/lists/list-screen.tsx'
import { type ListParams, readListParams } from '#client/lists/params.ts'
import { useSession } from '#client/app/session.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { messages } from '#shared/texts/messages.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/list/$listId')({
  // Read by the component, which is not part of the first pages; so is the loader.
  validateSearch: (search): ListParams => search,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) => loadList(context, params.listId, deps),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? t`List` }] }),
  component: () => (
    <ListScreen id={Number(Route.useParams().listId)} params={readListParams(Route.useSearch())} />
  ),
  notFoundComponent: NoList,
})

let triedAgain: string | undefined

function NoList() {
  const isMember = useSession() !== null
  const router = useRouter()
  // A member may read more than the visitor for whom the server rendered; until that is known, the browser of a member shows nothing.
  const [isFinal, setFinal] = useState(() => triedAgain !== undefined && triedAgain === location.href)
  useEffect(() => {
    if (!isMember || triedAgain === location.href) return
    triedAgain = location.href
    void router.invalidate().then(() => setFinal(true))
  }, [isMember, router])
  return (
    <div className={isFinal ? 'page py-12' : 'page py-12 for-visitors'}>
      <EmptyState
        isPage
        icon={<ListOrdered aria-hidden />}
        title={messages.listNotFound}
        action={
          <ButtonLink variant="primary" render={<Link to="/lists" search={{}} />}>
            See popular lists
          </ButtonLink>
        }
      >
        It may be private, have been deleted, or its address has a typo.
      </EmptyState>
    </div>
  )
}
