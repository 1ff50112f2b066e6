/** A part of a text. A spoiler is shown only on request. */
type TextPart = { text: string; isSpoiler: boolean }

const mark = '||'

/**
 * Splits a text into plain parts and spoilers. A spoiler is what stands between two `||`: the first `||` opens it and the next
 * one closes it, so that spoilers do not nest. A `||` that is not closed is plain text, and so is a pair with nothing but white
 * space between. Takes time linear in the length of the text.
 */
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

/**
 * Returns a text without its spoilers, for excerpts, previews and metadata: `…` stands for each of them. Returns an empty
 * string if the author marked the whole text.
 */
export function withoutSpoilers({ text, hasSpoilers }: { text: string; hasSpoilers: boolean }): string {
  if (hasSpoilers) return ''
  return textParts(text)
    .map((part) => (part.isSpoiler ? '…' : part.text))
    .join('')
}
