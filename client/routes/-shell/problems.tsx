import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { CloudOff, Compass } from 'lucide-react'
import { errorText } from '#client/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { messages } from '#shared/messages.ts'

/** A page that could not be shown. */
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
              // In this order: what is shown again must have been loaded again.
              onClick={() => void router.invalidate().then(reset)}
            >
              Try again
            </Button>
            <ButtonLink render={<Link to="/" />}>Go to the home page</ButtonLink>
          </>
        }
      >
        {isOurs(error) ? messages.somethingWentWrong : errorText(error)}
      </EmptyState>
    </div>
  )
}

/** A fault in the page itself, whose message says nothing to a reader; the others come from the server or the network. */
export function isOurs(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  // What failed to load has the words of the network already (offline.tsx).
  return error.name !== 'TRPCClientError' && error.message !== messages.networkError
}

/** A title or a person that is not there. */
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
