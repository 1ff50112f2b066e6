export const draftPrefix = 'draft '

/** For logging out: whoever comes next at this browser finds nothing of it. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(draftPrefix)) localStorage.removeItem(key)
  } catch {
    // Storage is closed: then nothing was kept.
  }
}
