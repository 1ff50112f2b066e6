import type { StarCount } from '#client/ui/stars-input.tsx'
import type { NamedTitle } from '#client/app/kinds.ts'

/**
 * A rating, a key of `posterKeys`, or `bookmark`, which toggles the want list. `half`: half a star more, or again less. `others` go into a list with the title, at most as many as
 * one call takes.
 */
export type TitleAction = {
  title: NamedTitle
  action: StarCount | 'half' | 'want' | 'bookmark' | 'diary' | 'favorite' | 'list'
  others?: readonly NamedTitle[]
}

let handle: ((action: TitleAction) => void) | undefined

/** The shell does it, because only it knows all features. */
export function requestTitleAction(action: TitleAction): void {
  handle?.(action)
}

export function handleTitleActions(handler: (action: TitleAction) => void): () => void {
  handle = handler
  return () => {
    handle = undefined
  }
}
