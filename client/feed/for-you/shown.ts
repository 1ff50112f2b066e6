import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { feedPageSize } from '#shared/domain/limits.ts'

/** What the last For You page showed, by the entry of the browser's history. */
type Kept = { entry: string; shown: number; opened: string }
const storageKey = 'for-you'

function readKept(entry: string): Kept {
  const [key, shown, opened = ''] = sessionStorage.getItem(storageKey)?.split(' ') ?? []
  return { entry, shown: feedPageSize, opened: '', ...(key === entry && { shown: Number(shown), opened }) }
}

function keep({ entry, shown, opened }: Kept): void {
  sessionStorage.setItem(storageKey, [entry, shown, opened].join(' '))
}

/**
 * The number of cards that the page shows, and the id of the link that was opened last. Going back to the page shows as many cards as
 * before; a component with another key starts again.
 */
export function useShown() {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' })
  // The location of the next page is known before this one is gone.
  const [kept, setKept] = useState(() => readKept(entry))
  return {
    ...kept,
    showMore() {
      const next = { ...kept, shown: kept.shown + feedPageSize }
      setKept(next)
      keep(next)
    },
    open: (opened: string) => keep({ ...kept, opened }),
  }
}
