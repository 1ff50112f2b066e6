import { t } from '#shared/domain/message.ts'

export type ToastMessage = {
  title: string
  description?: string | undefined
  tone?: 'info' | 'success' | 'error' | undefined
  action?: { label: string; onAction: () => void } | undefined
  timeoutMs?: number | undefined
  onClose?: (() => void) | undefined
  signal?: AbortSignal | undefined
}

type Show = (message: ToastMessage) => void
const waiting: ToastMessage[] = []
const wakers = new Set<() => void>()
let show: Show | undefined

/** They wait until the viewport is loaded. */
export const toasts = {
  add(message: ToastMessage) {
    if (show !== undefined) return show(message)
    waiting.push(message)
    for (const wake of wakers) wake()
  },
}

export function showDone(title: string, onUndo?: () => void): void {
  toasts.add({ tone: 'success', title, action: onUndo && { label: t`Undo`, onAction: onUndo } })
}

export function connectToasts(viewport: Show) {
  show = viewport
  for (const message of waiting.splice(0)) viewport(message)
  return () => {
    show = undefined
  }
}

export function onToastWaiting(wake: () => void) {
  wakers.add(wake)
  return () => {
    wakers.delete(wake)
  }
}
