import { useSyncExternalStore } from 'react'
import { writeStored } from './stored.ts'

export type Theme = 'system' | 'light' | 'dark'

const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

function theme(): Theme {
  const chosen = document.documentElement.dataset['theme']
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

function apply(next: Theme) {
  if (next === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = next
  tint(next)
  notify()
}

/** index.html has one meta element for each colour scheme; a chosen theme overrides both. */
function tint(next: Theme) {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.dataset['own'] ??= meta.content
    const chosen = document.querySelector<HTMLMetaElement>(`meta[name="theme-color"][media*="${next}"]`)
    meta.content =
      (next === 'system' ? meta : (chosen ?? meta)).dataset['own'] ?? chosen?.content ?? meta.content
  }
}

/** index.html reads the stored theme before the first paint. */
export function setTheme(next: Theme) {
  writeStored('theme', next === 'system' ? null : next)
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (still || document.startViewTransition === undefined) apply(next)
  else document.startViewTransition(() => apply(next))
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      const other = (event: StorageEvent) => {
        if (event.key === 'theme')
          apply(event.newValue === 'light' || event.newValue === 'dark' ? event.newValue : 'system')
      }
      // index.html applied a stored theme, but not its theme-color.
      tint(theme())
      listeners.add(listener)
      window.addEventListener('storage', other)
      return () => {
        listeners.delete(listener)
        window.removeEventListener('storage', other)
      }
    },
    theme,
    () => 'system',
  )
}

const darkQuery = '(prefers-color-scheme: dark)'

export function usePrefersDark(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(darkQuery)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => matchMedia(darkQuery).matches,
    () => false,
  )
}
