import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import type { createAppRouter } from './router.tsx'
import { type createClients, trpc } from './app/trpc.ts'
import { MembersPage, type Reading } from './ui/hydration.ts'
import { StarsShape } from './ui/stars.tsx'

/** `reading` is the reader of a member's page that the server renders. */
export function App({
  router,
  trpcClient,
  queryClient,
  reading,
}: { router: ReturnType<typeof createAppRouter>; reading: Reading | null } & Pick<
  ReturnType<typeof createClients>,
  'trpcClient' | 'queryClient'
>) {
  return (
    <StrictMode>
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <MembersPage value={reading}>
            <RouterProvider router={router} />
            <StarsShape />
          </MembersPage>
        </QueryClientProvider>
      </trpc.Provider>
    </StrictMode>
  )
}
