import { createContext, startTransition, useContext, useEffect, useState } from 'react'
import type { z } from 'zod'
import { readStored, writeStored } from '#client/ui/stored.ts'
import type { login } from '#shared/contracts/accounts.ts'
import { useIsHydrating } from '#client/ui/hydration.ts'

// From the schema, not from trpc.ts, which imports this module.
export type SessionUser = z.infer<typeof login.output>['user']
export type Session = { token: string; user: SessionUser }

/** The script of a member's page reads these keys too. */
const tokenKey = 'token'
const userKey = 'user'

/** The member for whom the server has rendered the page. With this attribute, CSS hides what is only for visitors. */
export const pageOwner = import.meta.env.SSR ? undefined : document.documentElement.dataset['member']

let session = restore()
let hydrated: Session | null = null
const listeners = new Set<() => void>()

function restore(): Session | null {
  const token = readStored(tokenKey)
  try {
    const user = JSON.parse(readStored(userKey) ?? 'null') as SessionUser | null
    return token && user ? { token, user } : null
  } catch {
    return null
  }
}

export function setSession(next: Session | null): void {
  writeStored(tokenKey, next && next.token)
  writeStored(userKey, next && JSON.stringify(next.user))
  adopt(next)
}

/** Returns false if another session, of this page or another tab, has replaced the refused one. */
export function endSession(authorization: string | undefined): boolean {
  if (!authorization?.endsWith(` ${session?.token}`)) return false
  const stored = restore()
  if (stored && stored.token !== session?.token) {
    adopt(stored)
    return false
  }
  setSession(null)
  return true
}

function showOwner(): void {
  if (session === null) delete document.documentElement.dataset['member']
  else document.documentElement.dataset['member'] = String(session.user.id)
}

export function hydrateSession(user: SessionUser): void {
  if (session === null) return
  session = { ...session, user }
  hydrated = session
  writeStored(userKey, JSON.stringify(user))
}

function adopt(next: Session | null): void {
  session = next
  showOwner()
  for (const listener of listeners) listener()
}

export function getSession(): Session | null {
  return session
}

if (!import.meta.env.SSR) {
  showOwner()
  // Logging in or out in one tab does so in all tabs.
  window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === tokenKey || event.key === userKey) adopt(restore())
  })
  // A page in the back/forward cache gets no storage events. If the session has changed, the page is hidden and reloaded, so that it shows
  // no data of the other member.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || restore()?.token === session?.token) return
    document.documentElement.hidden = true
    location.reload()
  })
}

/** A logout calls these first, because they need the session. */
export const beforeLogout = new Set<() => Promise<unknown>>()

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The preview of a profile replaces it. */
export const SessionReader = createContext(getSession)

/**
 * Null during the hydration of a visitors' page. A member's own parts then render in a transition: an urgent update would hydrate the whole
 * page in one task.
 */
export function useSession(): Session | null {
  const read = useContext(SessionReader)
  const isHydrating = useIsHydrating()
  const [current, setCurrent] = useState(isHydrating && !import.meta.env.SSR ? hydrated : read)
  useEffect(() => {
    const update = () => setCurrent(read)
    startTransition(update)
    return onSessionChange(update)
  }, [read])
  return current
}
