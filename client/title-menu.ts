import { useSyncExternalStore } from 'react'
import type { Kind } from '#shared/media.ts'

/** The menu to rate a title on any page. The shell renders it at its anchor. */
export type TitleMenu = {
  /** Identifies the button that opened it. */
  key: string
  anchor: HTMLElement
  title: { kind: Kind; id: number; name: string }
  /** Whether it offers to make the title a favorite too. */
  hasFavorite: boolean
}

let open: TitleMenu | null = null
const listeners = new Set<() => void>()

/** Opens the menu, or closes it if this button has opened it. Null closes it. */
export function setTitleMenu(menu: TitleMenu | null): void {
  open = menu?.key === open?.key ? null : menu
  for (const listener of listeners) listener()
}

/** Returns the card or row of a title that an element is in; null on the page of the title. */
export function cardOf(element: HTMLElement): HTMLElement | null {
  return element.closest<HTMLElement>('.poster-card, .title-row')
}

export function useTitleMenu(): TitleMenu | null {
  return useSyncExternalStore(
    subscribe,
    () => open,
    () => null,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
