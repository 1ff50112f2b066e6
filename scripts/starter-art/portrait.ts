import { seeded } from '../testing/random.ts'

/** Returns a demo member's portrait as SVG: a geometric face, 320 by 320 pixels. `hue` in degrees. */
export function portraitSvg(hue: number, seed: number): string {
  const random = seeded(seed * 7919 + hue)
  const tone = (turn: number, saturation: number, lightness: number) =>
    `hsl(${Math.round((hue + turn + 360) % 360)} ${saturation}% ${lightness}%)`
  const shoulders = 205 + random() * 25
  const head = 52 + random() * 12
  const hair = random()
  const crown =
    hair < 0.35
      ? `<path d="M${160 - head} 150a${head} ${head * 1.1} 0 0 1 ${head * 2} 0q-${head} -${head * 0.6} -${head * 2} 0z" fill="${tone(20, 35, 22)}"/>`
      : hair < 0.6
        ? `<circle cx="160" cy="${140 - head}" r="${head * 0.45}" fill="${tone(-30, 40, 25)}"/>`
        : hair < 0.8
          ? `<rect x="${160 - head * 1.1}" y="${148 - head}" width="${head * 2.2}" height="${head * 0.5}" rx="10" fill="${tone(150, 45, 35)}"/>`
          : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320" viewBox="0 0 320 320">
<rect width="320" height="320" fill="${tone(0, 62, 66)}"/>
<circle cx="${60 + random() * 200}" cy="${40 + random() * 60}" r="${50 + random() * 60}" fill="${tone(40, 70, 74)}"/>
<path d="M40 320q0-${320 - shoulders + 20} 120-${320 - shoulders + 20}t120 ${320 - shoulders + 20}z" fill="${tone(180, 38, 34)}"/>
<circle cx="160" cy="150" r="${head}" fill="${tone(-12, 42, 28 + random() * 40)}"/>
${crown}
</svg>`
}
