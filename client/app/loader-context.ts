import type { Site } from '#shared/contracts/site.ts'
import type { getSession } from './session.ts'
import type { createClients } from './trpc.ts'

type Clients = ReturnType<typeof createClients>

export type LoaderUtils = Clients['trpcUtils']

export type RouterContext = {
  queryClient: Clients['queryClient']
  trpc: LoaderUtils
  getSession: typeof getSession
  site: Site
}
