import { createStore } from '#client/ui/store.ts'
import type { NamedTitle } from '#client/app/kinds.ts'

export type TitleMenu = {
  key: string
  anchor: HTMLElement
  title: NamedTitle
}

const open = createStore<TitleMenu | null>(null)

/** A second call by the same button closes it; so does null. */
export function setTitleMenu(menu: TitleMenu | null): void {
  open.set(menu?.key === open.get()?.key ? null : menu)
}

export function cardOf(element: HTMLElement): HTMLElement {
  return element.closest<HTMLElement>('.poster-card, .title-row')!
}

export const useTitleMenu = open.useValue
