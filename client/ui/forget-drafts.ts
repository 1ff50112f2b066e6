export const draftPrefix = 'draft '

/** The shell of members sets it. */
export const draftOwner: { id: number | undefined } = { id: undefined }

/** The next user of this browser must not see them. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(draftPrefix)) localStorage.removeItem(key)
  } catch {
    // No access to storage: there are no drafts.
  }
}
