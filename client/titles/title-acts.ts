import { createStore } from '#client/ui/store.ts'
import type { StarCount } from '#client/ui/stars-input.tsx'
import type { NamedTitle } from '#client/app/kinds.ts'

/**
 * What one press on a poster does: rates the title, what a key of `posterKeys` stands for, or adds it to the want list and removes it
 * from there (`bookmark`). `others`: titles that go into a list with
 * it, at most as many in all as one call takes.
 */
export type TitleAct = {
  title: NamedTitle
  act: StarCount | 'want' | 'bookmark' | 'diary' | 'favorite' | 'list'
  others?: readonly NamedTitle[]
}

const keptMax = 20
let count = 0
/** The latest acts. They are kept after they are done, so that their toasts can undo them. */
const acts = createStore<readonly (TitleAct & { key: number })[]>([])

/** Rates a title, or changes its status, from any page. The shell does it, because only it knows all features. */
export function actOnTitle(act: TitleAct): void {
  acts.set([...acts.get(), { ...act, key: count++ }].slice(-keptMax))
}

export const useTitleActs = acts.useValue
