import type { Site } from '#shared/contracts/site.ts'
import type { getSession } from './session.ts'
import type { createClients } from './trpc.ts'

type Clients = ReturnType<typeof createClients>

/** The tRPC utilities of loaders, outside of components. */
export type LoaderUtils = Clients['trpcUtils']

/** What every route's loader and guard gets as `context`. */
export type RouterContext = {
  queryClient: Clients['queryClient']
  trpc: LoaderUtils
  getSession: typeof getSession
  /** The settings of the site, when the page was loaded. */
  site: Site
}
