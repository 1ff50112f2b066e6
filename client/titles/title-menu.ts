import { createStore } from '#client/ui/store.ts'
import type { NamedTitle } from '#client/app/kinds.ts'

/** The menu to rate a title on any page. The shell renders it at its anchor. */
export type TitleMenu = {
  /** Identifies the button that opened it. */
  key: string
  anchor: HTMLElement
  title: NamedTitle
  /** Whether it offers to make the title a favorite too. */
  hasFavorite: boolean
}

const open = createStore<TitleMenu | null>(null)

/** Opens the menu, or closes it if this button has opened it. Null closes it. */
export function setTitleMenu(menu: TitleMenu | null): void {
  open.set(menu?.key === open.get()?.key ? null : menu)
}

/** Returns the card or row of a title that an element is in; null on the page of the title. */
export function cardOf(element: HTMLElement): HTMLElement | null {
  return element.closest<HTMLElement>('.poster-card, .title-row')
}

export const useTitleMenu = open.useValue
