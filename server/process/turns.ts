import { LRUCache } from 'lru-cache'

/** From the widest group to the narrowest: the /48 of a caller and the /64 in it. */
export type Owned = { readonly owners: readonly string[] }

/** Beyond that, the owners that were not seen for longest are forgotten. */
const ownersMax = 20_000

/**
 * First the owner with the fewest running, then the one whose turn was longest ago. New owners come after those that wait, so that a stream
 * of them keeps nobody waiting. Within an owner, the same holds for the narrower owners, and then the order of `waiting`.
 */
export function openTurns() {
  const running = new Map<string, number>()
  // Limited by size, because `max` would allocate all places at once.
  /** The position of each owner in the round. A turn moves it to the end, once when it begins and once when it ends. */
  const places = new LRUCache<string, number>({ maxSize: ownersMax, sizeCalculation: () => 1 })
  let lastPlace = 0

  const rankOf = ({ owners }: Owned) =>
    owners.flatMap((owner) => {
      if (!places.has(owner)) places.set(owner, ++lastPlace)
      return [running.get(owner) ?? 0, places.get(owner)!]
    })

  return {
    /** Undefined if nothing waits. New owners get their places. */
    next: <T extends Owned>(waiting: Iterable<T>): T | undefined => lowest(waiting, rankOf),

    /** Of the owner with the most work waiting: it is dropped. */
    excess<T extends Owned>(waiting: Iterable<T>): T | undefined {
      const counts = new Map<string, number>()
      for (const { owners } of waiting)
        for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1)
      return lowest([...waiting].reverse(), ({ owners }) => owners.map((owner) => -counts.get(owner)!))
    },

    running: (owner: string): number => running.get(owner) ?? 0,

    begin({ owners }: Owned): () => void {
      for (const owner of owners) {
        running.set(owner, (running.get(owner) ?? 0) + 1)
        places.set(owner, ++lastPlace)
      }
      return () => {
        for (const owner of owners) {
          places.set(owner, ++lastPlace)
          const left = running.get(owner)! - 1
          if (left > 0) running.set(owner, left)
          else running.delete(owner)
        }
      }
    },
  }
}

function lowest<T>(all: Iterable<T>, rankOf: (one: T) => number[]): T | undefined {
  let found: { one: T; rank: number[] } | undefined
  for (const one of all) {
    const rank = rankOf(one)
    if (!found || isLower(rank, found.rank)) found = { one, rank }
  }
  return found?.one
}

function isLower(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index])
  return at >= 0 && a[at]! < b[at]!
}
