import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { afterHydration, useIsHydrating } from '#client/ui/hydration.ts'
import { feedPageSize } from '#shared/domain/limits.ts'

type Kept = { entry: string; shown: number; opened: string }
const storageKey = 'for-you'

const newKept = (entry: string): Kept => ({ entry, shown: feedPageSize, opened: '' })

function readKept(entry: string): Kept {
  const [key, shown, opened = ''] = sessionStorage.getItem(storageKey)?.split(' ') ?? []
  return { ...newKept(entry), ...(key === entry && { shown: Number(shown), opened }) }
}

function keep({ entry, shown, opened }: Kept): void {
  sessionStorage.setItem(storageKey, [entry, shown, opened].join(' '))
}

/** Going back to the page shows as many cards as before; a component with another key starts again. */
export function useShown() {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' })
  // The location of the next page is known before this one is gone.
  const isHydrating = useIsHydrating()
  const [first] = useState({ entry, isHydrating })
  const [kept, setKept] = useState(() => (isHydrating ? newKept(entry) : readKept(entry)))
  useEffect(
    () => (first.isHydrating ? afterHydration(() => setKept(readKept(first.entry))) : undefined),
    [first],
  )
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
