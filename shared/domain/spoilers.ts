type TextPart = { text: string; isSpoiler: boolean }

const mark = '||'

/** Between two `||`; spoilers do not nest. An unclosed `||` is plain text, and so is a pair with only white space between. Linear time. */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let plainFrom = 0
  let open = text.indexOf(mark)
  while (open !== -1) {
    const close = text.indexOf(mark, open + mark.length)
    if (close === -1) break
    const inside = text.slice(open + mark.length, close)
    const next = close + mark.length
    if (inside.trim() !== '') {
      if (open > plainFrom) parts.push({ text: text.slice(plainFrom, open), isSpoiler: false })
      parts.push({ text: inside, isSpoiler: true })
      plainFrom = next
    }
    open = text.indexOf(mark, next)
  }
  if (plainFrom < text.length) parts.push({ text: text.slice(plainFrom), isSpoiler: false })
  return parts
}

/** `…` for each spoiler; empty if the author marked the whole text. */
export function withoutSpoilers({ text, hasSpoilers }: { text: string; hasSpoilers: boolean }): string {
  if (hasSpoilers) return ''
  return textParts(text)
    .map((part) => (part.isSpoiler ? '…' : part.text))
    .join('')
}

/** Returns the text for an excerpt. Nothing is hidden from its author. */
export function excerptFor(value: { text: string; hasSpoilers: boolean }, isAuthor: boolean): string {
  if (!isAuthor) return withoutSpoilers(value)
  return textParts(value.text)
    .map((part) => part.text)
    .join('')
}
