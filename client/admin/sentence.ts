/** Returns words with a capital at the start. */
export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
