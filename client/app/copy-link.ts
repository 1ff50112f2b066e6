import { showDone, toasts } from '#client/ui/toasts.ts'
import { t } from '#shared/domain/message.ts'

/** Shows the address if copying fails: without https there is no clipboard, and the permission may be denied. */
export async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    showDone(t`Link copied`)
  } catch {
    toasts.add({ title: t`Copy this address`, description: url, timeoutMs: 0 })
  }
}
