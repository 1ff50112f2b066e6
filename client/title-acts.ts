import { useSyncExternalStore } from 'react'
import type { TitleMenu } from './title-menu.ts'

type Stars = 1 | 2 | 3 | 4 | 5

/** What one press on a poster does: rates the title, or what a key of `posterKeys` stands for. */
export type TitleAct = { title: TitleMenu['title']; act: Stars | 'want' | 'diary' | 'favorite' | 'list' }

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
