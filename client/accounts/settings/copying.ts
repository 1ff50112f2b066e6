import { useState } from 'react'
import { t } from '#shared/domain/message.ts'

const done = t`Copied.`

/** Copies a text to the clipboard. `said` is the result, for a status region: `failed` if the text was not copied. */
export function useCopying(text: string, failed: string) {
  const [said, setSaid] = useState('')
  /** Returns whether the text was copied. */
  async function copy(): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text)
      setSaid(done)
      return true
    } catch {
      // Without https there is no clipboard, and the permission may be denied.
      setSaid(failed)
      return false
    }
  }
  return { copy, said, isCopied: said === done }
}
