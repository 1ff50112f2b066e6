import { clsx } from 'clsx'
import type { ComponentProps, RefObject } from 'react'

/** Attributes of the plain input and of the combobox. */
export const searchInput = {
  type: 'search',
  name: 'q',
  'aria-label': 'Search movies, books, games, or users',
  'aria-keyshortcuts': '/',
  placeholder: 'Search movies, books, games, or users…',
  autoComplete: 'off',
  autoCorrect: 'off',
  spellCheck: false,
  enterKeyHint: 'search',
  maxLength: 200,
  className: clsx(
    'peer h-11 w-full rounded-full border border-transparent bg-raised pr-4 pl-11 text-body text-ellipsis text-ink transition-colors',
    'hover:border-line focus-visible:border-accent focus-visible:bg-surface focus-visible:outline-offset-0 lg:pr-11',
    '[&::-webkit-search-cancel-button]:hidden',
  ),
} as const satisfies ComponentProps<'input'>

/** Start and end. */
export type Selection = [number, number] | undefined

export type SearchComboboxProps = {
  text: string
  onText: (text: string) => void
  onPick: (path: string) => void
  /** Returns once what was selected in the plain input that the combobox replaced; undefined if it had no focus. */
  takeSelection: () => Selection
  inputRef: RefObject<HTMLInputElement | null>
}
