import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

const client = createTRPCClient({ links: [httpBatchLink({ url: '/trpc' })] })
const router = createRouter({ routeTree: createRootRoute({ component: Button }), context: { client } })

function Button() {
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      Pressed {count} times
    </button>
  )
}

createRoot(document.getElementById('root')!).render(
  <QueryClientProvider client={new QueryClient()}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
document.documentElement.dataset['hydrated'] = ''
