import { createStore } from '#client/ui/store.ts'
import type { TitleMenu } from './title-menu.ts'

type Stars = 1 | 2 | 3 | 4 | 5

type Title = TitleMenu['title']
/**
 * What one press on a poster does: rates the title, or what a key of `posterKeys` stands for. `others`: titles that go into a list with
 * it, at most as many in all as one call takes.
 */
export type TitleAct = {
  title: Title
  act: Stars | 'want' | 'diary' | 'favorite' | 'list'
  others?: readonly Title[]
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
