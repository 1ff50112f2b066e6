export type ToastMessage = {
  title: string
  description?: string | undefined
  tone?: 'info' | 'success' | 'error' | undefined
  action?: { label: string; onAction: () => void } | undefined
  /** In milliseconds; 0: until dismissed. */
  timeoutMs?: number | undefined
  /** Called when the toast is gone: after its time, dismissed, or after its action. */
  onClose?: (() => void) | undefined
  /** Closes the toast when aborted. */
  signal?: AbortSignal | undefined
}

type Show = (message: ToastMessage) => void
const waiting: ToastMessage[] = []
const wakers = new Set<() => void>()
let show: Show | undefined

/** Shows toasts, from anywhere. They wait until the viewport is loaded. */
export const toasts = {
  add(message: ToastMessage) {
    if (show !== undefined) return show(message)
    waiting.push(message)
    for (const wake of wakers) wake()
  },
}

/** Says that something is done, with a button to undo it if `onUndo` is given. */
export function showDone(title: string, onUndo?: () => void): void {
  toasts.add({ tone: 'success', title, action: onUndo && { label: 'Undo', onAction: onUndo } })
}

/** For the viewport: passes it the waiting and all later toasts. */
export function connectToasts(viewport: Show) {
  show = viewport
  for (const message of waiting.splice(0)) viewport(message)
  return () => {
    show = undefined
  }
}

/** Calls back when a toast waits for the viewport. */
export function onToastWaiting(wake: () => void) {
  wakers.add(wake)
  return () => {
    wakers.delete(wake)
  }
}
