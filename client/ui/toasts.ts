export type ToastMessage = {
  title: string
  description?: string | undefined
  tone?: 'info' | 'success' | 'error' | undefined
  action?: { label: string; onAction: () => void } | undefined
  /** In milliseconds; 0 keeps it until dismissed. */
  timeoutMs?: number | undefined
}

type Show = (message: ToastMessage) => void
const waiting: ToastMessage[] = []
const wakers = new Set<() => void>()
let show: Show | undefined

/** Tells the result of an action, from anywhere. Messages wait until the viewport has loaded. */
export const toasts = {
  add(message: ToastMessage) {
    if (show !== undefined) return show(message)
    waiting.push(message)
    for (const wake of wakers) wake()
  },
}

/** For the viewport: takes what waits and what comes. */
export function connectToasts(viewport: Show) {
  show = viewport
  for (const message of waiting.splice(0)) viewport(message)
  return () => {
    show = undefined
  }
}

/** For who loads the viewport: called when a message waits. */
export function onToastWaiting(wake: () => void) {
  wakers.add(wake)
  return () => {
    wakers.delete(wake)
  }
}
