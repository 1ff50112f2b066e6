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

let handle: ((act: TitleAct) => void) | undefined

/** Rates a title, or changes its status, from any page. The shell does it, because only it knows all features. */
export function actOnTitle(act: TitleAct): void {
  handle?.(act)
}

/** Says what does the acts. Returns a function that ends it. For effects. */
export function handleTitleActs(handler: (act: TitleAct) => void): () => void {
  handle = handler
  return () => {
    handle = undefined
  }
}
