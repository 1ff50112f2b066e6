import { useState } from 'react'

/** The last show played comes first, but not while its row is looked at: it stays where it is until the page is opened again. */
export function useSteadyOrder<Entry extends { title: { id: number } }>(entries: readonly Entry[]): Entry[] {
  const [order] = useState(() => new Map<number, number>())
  for (const { title } of entries) if (!order.has(title.id)) order.set(title.id, order.size)
  return entries.toSorted((a, b) => order.get(a.title.id)! - order.get(b.title.id)!)
}
