import { showDone, toasts } from '#client/ui/toasts.ts'

/** Copies the address of a page, or shows it if that fails: without https there is no clipboard, and the permission may be denied. */
export async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    showDone('Link copied')
  } catch {
    toasts.add({ title: 'Copy this address', description: url, timeoutMs: 0 })
  }
}
