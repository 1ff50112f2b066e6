import { useSyncExternalStore } from 'react'

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

/** The browser's own bars: index.html has one colour a scheme, a choice speaks for both. */
function tint(next: Theme) {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.dataset['own'] ??= meta.content
    const chosen = document.querySelector<HTMLMetaElement>(`meta[name="theme-color"][media*="${next}"]`)
    meta.content =
      (next === 'system' ? meta : (chosen ?? meta)).dataset['own'] ?? chosen?.content ?? meta.content
  }
}

/** Remembered in localStorage, where index.html reads it before the first paint. Cross-fades where the browser can. */
export function setTheme(next: Theme) {
  try {
    if (next === 'system') localStorage.removeItem('theme')
    else localStorage.setItem('theme', next)
  } catch {
    // Storage is closed: the choice lasts as long as the page.
  }
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (still || document.startViewTransition === undefined) apply(next)
  else document.startViewTransition(() => apply(next))
}

/** The choice, here and from other windows. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      const other = (event: StorageEvent) => {
        if (event.key === 'theme')
          apply(event.newValue === 'light' || event.newValue === 'dark' ? event.newValue : 'system')
      }
      // What was chosen on another day has been applied before the first paint, but for the bars.
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

/** What the system asks for; light until a page of the server's lives. */
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
