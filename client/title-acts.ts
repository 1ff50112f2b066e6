import { useSyncExternalStore } from 'react'
import type { TitleMenu } from './title-menu.ts'

type Stars = 1 | 2 | 3 | 4 | 5

/** What one press on a poster does: rates the title, or what a key of `posterKeys` stands for. */
export type TitleAct = { title: TitleMenu['title']; act: Stars | 'want' | 'diary' | 'favorite' }

const keptMax = 20
let count = 0
/** The latest acts. They are kept after they are done, so that their toasts can undo them. */
let acts: readonly (TitleAct & { key: number })[] = []
const listeners = new Set<() => void>()

/** Rates a title, or changes its status, from any page. The shell does it, because only it knows all features. */
export function actOnTitle(act: TitleAct): void {
  acts = [...acts, { ...act, key: count++ }].slice(-keptMax)
  for (const listener of listeners) listener()
}

export function useTitleActs() {
  return useSyncExternalStore(
    subscribe,
    () => acts,
    () => acts,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The keys of a focused poster. */
const posterKeys: Record<string, TitleAct['act']> = {
  1: 1,
  2: 2,
  3: 3,
  4: 4,
  5: 5,
  w: 'want',
  d: 'diary',
  f: 'favorite',
}

/** Returns what a key that was pressed on a poster does; undefined if nothing. */
export function actOfKey(event: KeyboardEvent): TitleAct['act'] | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  if ((event.target as HTMLElement).closest('input, textarea, select')) return
  return posterKeys[event.key.toLowerCase()]
}
