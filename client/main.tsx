import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './router.tsx'
import { getSession, onSessionChange } from './session.ts'
import './styles.css'
import { queryClient, trpc, trpcClient } from './trpc.ts'

// What a member saw is not for the next one, and a visitor's answers lack what is the member's own.
let reader = getSession()?.user.id
onSessionChange(() => {
  const next = getSession()?.user.id
  if (next === reader) return
  reader = next
  queryClient.clear()
  void router.invalidate()
})

// Wakes a sleeping host; the answer does not matter.
fetch('/healthz').catch(() => {})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </trpc.Provider>
  </StrictMode>,
)
