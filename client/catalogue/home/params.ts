import { type Kind, kindNames } from '#shared/domain/kinds.ts'

export type HomeTab = 'all' | Kind

export function readHomeParams(search: Record<string, unknown>): { tab?: Kind | undefined } {
  // Undefined, not left out: the router would keep the invalid value in the URL.
  return { tab: kindNames.find((name) => name === search['tab']) }
}
