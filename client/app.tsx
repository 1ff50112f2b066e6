import { QueryClientProvider } from '@tanstack/react-query'
import { RouterContextProvider, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode } from 'react'
import type { createAppRouter } from './router.tsx'
import { type createClients, trpc } from './app/trpc.ts'
import { StarsShape } from './ui/stars.tsx'

/** The app, rendered by the browser and by the server. With `part`, the server renders only that part of a page. */
export function App({
  router,
  trpcClient,
  queryClient,
  part,
}: { router: ReturnType<typeof createAppRouter>; part?: ReactNode } & Pick<
  ReturnType<typeof createClients>,
  'trpcClient' | 'queryClient'
>) {
  return (
    <StrictMode>
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          {import.meta.env.SSR && part ? (
            <RouterContextProvider router={router}>{part}</RouterContextProvider>
          ) : (
            <>
              <RouterProvider router={router} />
              <StarsShape />
            </>
          )}
        </QueryClientProvider>
      </trpc.Provider>
    </StrictMode>
  )
}
