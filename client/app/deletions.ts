import { beforeLogout, getSession } from './session.ts'
import { toasts } from '#client/ui/toasts.ts'
import { languageHeader } from '#shared/domain/languages.ts'
import { requestTimeoutMs } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { setDeleted } from './deleted.ts'
import { language, t } from '#shared/domain/message.ts'

const undoMs = 6_000

const waiting = new Map<string, () => Promise<void>>()
const sending = new Set<Promise<void>>()

/** Only comments have `commentCount`, the number that remains. */
type Result = { message?: string; commentCount?: number }

type Deletion = {
  path: string
  texts: { deleted: string; failed: string }
  onDeleted: (result: Result) => void
  /** Called if the member undoes the deletion, or if it fails. */
  onRestored: () => void
}

/** Deletes after a few seconds, unless the member undoes it; at once if the toast is dismissed, the page is hidden or left, and before a logout. */
export function deleteLater(deletion: Deletion): void {
  const { path, texts, onDeleted, onRestored } = deletion
  const token = getSession()?.token
  const toast = new AbortController()
  function restore() {
    setDeleted(path, false)
    onRestored()
  }
  async function send() {
    toast.abort()
    const { isDone, ...result } = await requestDeletion(path, token)
    if (isDone) return onDeleted(result)
    restore()
    const action = { label: t`Try again`, onAction: () => deleteLater(deletion) }
    toasts.add({ tone: 'error', title: texts.failed, description: result.message, action })
  }
  async function sendOnce() {
    if (!waiting.delete(path)) return
    const sent = send()
    sending.add(sent)
    await sent
    sending.delete(sent)
  }
  setDeleted(path, true)
  waiting.set(path, sendOnce)
  toasts.add({
    tone: 'success',
    title: texts.deleted,
    timeoutMs: undoMs,
    signal: toast.signal,
    onClose: () => void sendOnce(),
    action: {
      label: t`Undo`,
      onAction: () => {
        if (waiting.delete(path)) restore()
      },
    },
  })
}

export async function sendDeletions(): Promise<void> {
  for (const sendOnce of waiting.values()) void sendOnce()
  await Promise.all(sending)
}

/** With `keepalive`, which tRPC's batches do not have, the request survives the page. */
async function requestDeletion(
  path: string,
  token: string | undefined,
): Promise<Result & { isDone: boolean }> {
  try {
    const response = await fetch(path, {
      method: 'DELETE',
      credentials: 'omit',
      headers: { authorization: `Bearer ${token}`, [languageHeader]: language },
      keepalive: true,
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
    // 404: it is deleted already.
    const isDone = response.ok || response.status === 404
    return { ...((await response.json()) as Result), isDone }
  } catch (error) {
    const message = error instanceof SyntaxError ? messages.requestFailed : messages.networkError
    return { message, isDone: false }
  }
}

if (!import.meta.env.SSR) {
  beforeLogout.add(sendDeletions)
  window.addEventListener('pagehide', () => void sendDeletions())
  // On a phone a page may end while it is hidden, without another event.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void sendDeletions()
  })
}
