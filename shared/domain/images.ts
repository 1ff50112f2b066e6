/** In pixels; the URL ends with the largest: `/uploads/3f9c2a7d5e-640.webp`. */
export const uploadWidths = [160, 320, 640, 1280] as const

const stored = /^(\/(?:uploads|starter)\/[a-z0-9-]+)-(\d+)\.webp$/
/** Pictures of streaming services, `w92`, are small. */
const tmdb = /^(https:\/\/image\.tmdb\.org\/t\/p\/)w(?!92\/)\d+(\/.+)$/
const openLibrary = /^(https:\/\/covers\.openlibrary\.org\/b\/id\/\d+)-[ML]\.jpg$/
const igdb = /^(https:\/\/images\.igdb\.com\/igdb\/image\/upload\/)t_\w+(\/.+)$/

export function imageSrcSet(url: string | null | undefined): string | undefined {
  if (!url) return undefined
  let match = stored.exec(url)
  if (match) {
    const [, base, largest] = match
    const widths = uploadWidths.filter((width) => width <= Number(largest))
    return widths.map((width) => `${base}-${width}.webp ${width}w`).join(', ')
  }
  match = tmdb.exec(url)
  if (match) {
    const [, base, file] = match
    const widths = url.includes('/w1280/') || url.includes('/w300/') ? [300, 780, 1280] : [185, 342, 500]
    return widths.map((width) => `${base}w${width}${file} ${width}w`).join(', ')
  }
  match = openLibrary.exec(url)
  if (match) return `${match[1]}-M.jpg 180w, ${match[1]}-L.jpg 400w`
  match = igdb.exec(url)
  if (match)
    return `${match[1]}t_cover_small${match[2]} 90w, ${match[1]}t_cover_big${match[2]} 264w, ${match[1]}t_cover_big_2x${match[2]} 528w`
  return undefined
}
