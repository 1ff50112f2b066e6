import { useQueryClient } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { CloudOff, Compass } from 'lucide-react'
import { titleIn, titleName, titlePath } from '#client/app/kinds.ts'
import { procedurePath, queryInput } from '#client/app/query-keys.ts'
import { errorText } from '#client/app/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { allKinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'

export function ProblemPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <div className="page py-12">
      <EmptyState
        isPage
        tone="error"
        icon={<CloudOff aria-hidden />}
        title="This page did not load"
        action={
          <>
            <Button
              variant="primary"
              // In this order: the loaders must have run again before the route renders again.
              onClick={() => void router.invalidate().then(reset)}
            >
              Try again
            </Button>
            <ButtonLink render={<Link to="/" />}>Go to the home page</ButtonLink>
          </>
        }
      >
        {isPageError(error) ? messages.somethingWentWrong : errorText(error)}
      </EmptyState>
      <KeptTitles />
    </div>
  )
}

const keptMax = 12

/** The titles that were opened before, the last first. */
function KeptTitles() {
  const queries = useQueryClient().getQueryCache().getAll()
  if (navigator.onLine) return null
  const kept = queries
    .flatMap(({ queryKey, state: { data, dataUpdatedAt } }) => {
      const definition = allKinds.find(({ router }) => procedurePath(queryKey) === `${router}.byId`)
      const { id } = (queryInput(queryKey) ?? {}) as { id?: number }
      if (definition === undefined || !data || id === undefined) return []
      return [
        {
          path: titlePath(definition, id),
          name: titleName(definition, titleIn(definition, data)),
          at: dataUpdatedAt,
        },
      ]
    })
    .sort((a, b) => b.at - a.at)
    .slice(0, keptMax)
  if (kept.length === 0) return null
  return (
    <section aria-labelledby="kept" className="mx-auto mt-8 max-w-md">
      <h2 id="kept" className="text-h3">
        These titles still open
      </h2>
      <ul className="mt-3 divide-y divide-line">
        {kept.map(({ path, name }) => (
          <li key={path}>
            <Link to={path} className="flex min-h-11 items-center hover:underline">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Whether an error is a bug of the page, so that its message is not for users. */
export function isPageError(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  // offline.tsx sets the second name on code that failed to load.
  return error.name !== 'TRPCClientError' && error.name !== 'NetworkError'
}

export function NotFoundPage() {
  return (
    <div className="page py-12">
      <EmptyState
        isPage
        icon={<Compass aria-hidden />}
        title={messages.notFound}
        action={<ButtonLink render={<Link to="/" />}>Go to the home page</ButtonLink>}
      >
        It may have been removed, or its address has a typo.
      </EmptyState>
    </div>
  )
}
