import { useSession } from './session.ts'

/** The number of entries of a list in what the server renders for a member, which the browser replaces. They fill a screen. */
const renderedForMember = 16

/** Returns the entries to render: all of them in the browser and for visitors. */
export function useRendered<Entry>(entries: readonly Entry[]): readonly Entry[] {
  const isForMember = useSession() !== null && import.meta.env.SSR
  return isForMember ? entries.slice(0, renderedForMember) : entries
}
