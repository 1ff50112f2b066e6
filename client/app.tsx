import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import type { createAppRouter } from './router.tsx'
import { type createClients, trpc } from './trpc.ts'

/** The app, rendered by the browser and by the server. */
export function App({
  router,
  trpcClient,
  queryClient,
}: { router: ReturnType<typeof createAppRouter> } & Pick<
  ReturnType<typeof createClients>,
  'trpcClient' | 'queryClient'
>) {
  return (
    <StrictMode>
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </trpc.Provider>
    </StrictMode>
  )
}
