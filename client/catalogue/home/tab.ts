import { type Kind, kindNames } from '#shared/media.ts'

export type HomeTab = 'all' | Kind

/** The tab that an address names; what is none of ours is All, which an address leaves out. */
export function homeTab(search: Record<string, unknown>): { tab?: Kind | undefined } {
  // Undefined, not left out: the router would keep what the address says.
  return { tab: kindNames.find((name) => name === search['tab']) }
}
