import { useSyncExternalStore } from 'react'
import type { RouterOutputs } from './trpc.ts'

export type SessionUser = RouterOutputs['accounts']['login']['user']
export type Session = { token: string; user: SessionUser }

/** The names under which the browser keeps who is logged in. */
const tokenKey = 'token'
const userKey = 'user'

let session = restore()
const listeners = new Set<() => void>()

function restore(): Session | null {
  // The server renders as for a visitor.
  if (import.meta.env.SSR) return null
  try {
    const token = localStorage.getItem(tokenKey)
    const user = JSON.parse(localStorage.getItem(userKey) ?? 'null') as SessionUser | null
    return token && user ? { token, user } : null
  } catch {
    // No storage (a private window may refuse it), or what it holds is not ours.
    return null
  }
}

/** Logs in (or, with null, out) in this browser. */
export function setSession(next: Session | null): void {
  try {
    if (next) {
      localStorage.setItem(tokenKey, next.token)
      localStorage.setItem(userKey, JSON.stringify(next.user))
    } else {
      localStorage.removeItem(tokenKey)
      localStorage.removeItem(userKey)
    }
  } catch {
    // Then it lasts as long as this page.
  }
  adopt(next)
}

function adopt(next: Session | null): void {
  session = next
  // What is a visitor's alone goes by this, from the first paint on.
  document.documentElement.toggleAttribute('data-member', next !== null)
  for (const listener of listeners) listener()
}

export function getSession(): Session | null {
  return session
}

// Logging in or out in one tab does so in all.
if (!import.meta.env.SSR)
  window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === tokenKey || event.key === userKey) adopt(restore())
  })

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Who is logged in; the component follows it. While a page of the server's comes to life: nobody. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, getSession, () => null)
}
