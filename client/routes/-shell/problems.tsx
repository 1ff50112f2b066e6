import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { CloudOff, Compass } from 'lucide-react'
import { errorText } from '#client/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { messages } from '#shared/messages.ts'

/** The error page of a route. */
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
    </div>
  )
}

/** Returns whether an error is a bug of the page, neither a failed call nor a network error. Its message is not for users. */
export function isPageError(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  // offline.tsx sets this message on code that failed to load.
  return error.name !== 'TRPCClientError' && error.message !== messages.networkError
}

/** The not-found page of a title or a member. */
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
