/** The first entry of each list, then the second of each, without duplicates. */
export function interleave<Entry>(
  lists: readonly (readonly Entry[])[],
  keyOf: (entry: Entry) => string,
  limit: number,
): Entry[] {
  const merged = new Map<string, Entry>()
  const longest = Math.max(0, ...lists.map((list) => list.length))
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      const entry = list[rank]
      if (entry === undefined) continue
      if (merged.size === limit) return [...merged.values()]
      const key = keyOf(entry)
      if (!merged.has(key)) merged.set(key, entry)
    }
  }
  return [...merged.values()]
}
