// A Map: an object would resolve the entity &constructor; too.
const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }))

/** Block tags become line breaks. Keeps “I <3 this”. */
export function plainText(html: string): string {
  return (
    html
      .replace(/<\/(p|h[1-6])>/gi, '\n\n')
      .replace(/<br\s*\/?>|<\/(div|li)>/gi, '\n')
      // Each stops at the next `<` or `<!--`, because the time would otherwise be quadratic.
      .replace(/<\/?[a-z][^<>]*>|<!--(?:(?!<!--).)*?-->/gis, '')
      .replace(/&(#\d+|#x[\da-f]+|[a-z]+);/gi, (whole, name: string) => decode(name) ?? whole)
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}

function decode(name: string): string | undefined {
  if (!name.startsWith('#')) return entities.get(name.toLowerCase())
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
