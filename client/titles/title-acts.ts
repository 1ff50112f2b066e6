import type { StarCount } from '#client/ui/stars-input.tsx'
import type { NamedTitle } from '#client/app/kinds.ts'

/**
 * A rating, a key of `posterKeys`, or `bookmark`, which toggles the want list. `others` go into a list with the title, at most as many as
 * one call takes.
 */
export type TitleAct = {
  title: NamedTitle
  act: StarCount | 'want' | 'bookmark' | 'diary' | 'favorite' | 'list'
  others?: readonly NamedTitle[]
}

let handle: ((act: TitleAct) => void) | undefined

/** The shell does it, because only it knows all features. */
export function actOnTitle(act: TitleAct): void {
  handle?.(act)
}

/** Returns a function that ends it. */
export function handleTitleActs(handler: (act: TitleAct) => void): () => void {
  handle = handler
  return () => {
    handle = undefined
  }
}
