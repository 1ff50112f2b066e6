import type { View } from './game-lights.ts'
import { scopeArt, vistaArt, neonArt } from './game-lights.ts'
import { day, night } from './game-scheme.ts'
import { firstLegible, mix } from './color.ts'
import type { Color, Scheme } from './color.ts'
import { credits, footline, setTitle, small, title } from './compose.ts'
import type { Design, Layout, TitleStyle, Work } from './compose.ts'
import { blocksArt, burstArt, facetsArt, pixelsArt, speedArt } from './game-art.ts'
import type { Box } from './set.ts'
import { group, rect, write } from './sheet.ts'
import type { Sheet } from './sheet.ts'
import { grain } from './texture.ts'
import type { Face } from './type.ts'

const faces: Face[] = ['badge', 'wide', 'condensed']

/** An extruded title with a thick outline. */
const badgeTitle = (
  sheet: Sheet,
  work: Work,
  area: Box,
  style: TitleStyle,
  s: Scheme,
  edge: Color = s.ink,
  depth = 12,
) => {
  const block = setTitle(
    work.name,
    { ...area, x: area.x + 10, w: area.w - 20, h: area.h - depth },
    { caps: true, align: 'center', valign: 'middle', ...style },
  )
  const bright = firstLegible([edge], [s.pop, s.main, s.second, s.paper], 7)
  const width = Math.max(10, Math.min(20, block.size * 0.2))
  const layer = (dy: number, color: Color) =>
    `<path transform="translate(0 ${dy})" d="${block.d}" fill="${color}" stroke="${color}" stroke-width="${width.toFixed(1)}" stroke-linejoin="round"/>`
  const deep = mix(edge, s.second, 0.55)
  sheet.art.push(group(layer(depth, deep) + layer(depth / 2, deep) + layer(0, edge), 'fill-rule="nonzero"'))
  write(sheet, 'title', block, bright, [edge])
}

/** A thin band with the developer and the year. */
const strip = (sheet: Sheet, work: Work, s: Scheme, at: 'top' | 'bottom', color = s.ink) => {
  const y = at === 'top' ? 0 : 856
  sheet.art.push(rect(0, y, 600, 44, color))
  footline(sheet, work, y + 28, [color], [s.paper, s.ink], s, { margin: 28, size: 16 })
}

const low: Box = { x: 24, y: 640, w: 552, h: 200 }

const wideView: View = { x: 860, y: 312, r: 222, floor: 560 }

/** A backdrop that consists of the art alone. */
const alone =
  (
    art: (sheet: Sheet, work: Work, s: Scheme, view: View) => unknown,
    scheme: (work: Work) => Scheme,
    view: Partial<View> = {},
  ): Layout =>
  (sheet, work) => {
    art(sheet, work, scheme(work), { ...wideView, ...view })
    grain(sheet, 0.4)
  }

const neonScheme = (work: Work) => night(work, 0.17)

const neon: Layout = (sheet, work) => {
  const s = neonScheme(work)
  neonArt(sheet, work, s, { x: 300, y: 312, r: 205, floor: 585 })
  badgeTitle(sheet, work, low, { faces, max: 100 }, s, mix(s.ground, '#000000', 0.55))
  strip(sheet, work, s, 'bottom')
}

const blocksScheme = (work: Work) => (work.random.fork('day').chance(0.6) ? day(work) : night(work, 0.26))

const blocks: Layout = (sheet, work) => {
  const s = blocksScheme(work)
  const top = work.random.chance(0.5)
  blocksArt(sheet, work, s, { x: 300, y: 0, r: 168, floor: top ? 590 : 450 })
  badgeTitle(
    sheet,
    work,
    top ? { ...low, y: 72, h: 210 } : { ...low, y: 650, h: 196 },
    { faces, max: 104 },
    s,
    s.ink,
    14,
  )
  strip(sheet, work, s, top ? 'top' : 'bottom')
}

const pixelsScheme = (work: Work) => night(work, work.random.fork('depth').pick([0.2, 0.3]))

const pixels: Layout = (sheet, work) => {
  const s = pixelsScheme(work)
  pixelsArt(sheet, work, s, { x: 300, y: 318, r: 216, floor: 612 })
  badgeTitle(sheet, work, { ...low, y: 648, h: 188 }, { faces, max: 96 }, s)
  strip(sheet, work, s, 'bottom')
}

const burst: Layout = (sheet, work) => {
  const s = day(work)
  burstArt(sheet, work, s, { x: 300, y: 384, r: 224, floor: 0 })
  badgeTitle(
    sheet,
    work,
    { x: 22, y: 640, w: 556, h: 204 },
    { faces, valign: 'bottom', max: 118 },
    s,
    s.ink,
    16,
  )
  strip(sheet, work, s, 'top')
}

const vistaScheme = (work: Work) => night(work, 0.24)

const vista: Layout = (sheet, work) => {
  const s = vistaScheme(work)
  const { sky, near } = vistaArt(sheet, work, s, { x: 300, y: 520, r: 200, floor: 760 })
  grain(sheet, 0.6)
  const { color } = title(
    sheet,
    work,
    { x: 48, y: 60, w: 504, h: 170 },
    {
      faces: ['wideLight', 'wide', 'condensed'],
      caps: true,
      align: 'center',
      valign: 'middle',
      max: 84,
      least: 32,
      tracking: 0.02,
    },
    sky,
    [s.paper, s.main],
    s,
  )
  sheet.art.push(rect(0, 846, 600, 54, near))
  footline(sheet, work, 879, [near], [s.paper, color], s, { margin: 48, size: 16 })
}

const facetsScheme = (work: Work) => night(work, 0.22)

const facets: Layout = (sheet, work) => {
  const s = facetsScheme(work)
  const dark = facetsArt(sheet, work, s, { x: 300, y: 352, r: 218, floor: 0 })
  badgeTitle(
    sheet,
    work,
    { ...low, y: 634, h: 206 },
    { faces: ['wide', 'badge', 'condensed'], max: 104 },
    s,
    dark,
  )
  strip(sheet, work, s, 'bottom', dark)
}

const scopeScheme = (work: Work) => night(work, 0.19)

const scope: Layout = (sheet, work) => {
  const s = scopeScheme(work)
  const mesh = scopeArt(sheet, work, s, { x: 300, y: 356, r: 168, floor: 0 })
  const field = mix(s.ground, '#000000', 0.35)
  sheet.art.push(rect(0, 650, 600, 180, field), rect(0, 650, 600, 4, s.main), rect(0, 826, 600, 4, s.main))
  grain(sheet, 0.5)
  const { color } = title(
    sheet,
    work,
    { x: 44, y: 674, w: 512, h: 132 },
    { faces: ['wide', 'condensed'], caps: true, align: 'center', valign: 'middle', max: 92, least: 36 },
    [field],
    [s.paper, s.main],
    s,
  )
  small(sheet, credits(work), { x: 84, y: 864, w: 330, size: 15 }, [s.ground, mesh], [s.main, color], s)
  small(
    sheet,
    work.year,
    { x: 416, y: 864, w: 100, size: 15, align: 'right' },
    [s.ground, mesh],
    [s.main, color],
    s,
  )
}

const speedScheme = (work: Work) => (work.random.fork('day').chance(0.5) ? day(work) : night(work, 0.25))

const speed: Layout = (sheet, work) => {
  const s = speedScheme(work)
  speedArt(sheet, work, s, { x: 300, y: 350, r: 226, floor: 648 })
  const preferred: Face[] = work.random
    .fork('face')
    .pick([['wide', 'condensed'], ['badge', 'condensed'], ['condensed']])
  const { color } = title(
    sheet,
    work,
    { x: 32, y: 690, w: 536, h: 150 },
    { faces: preferred, caps: true, align: 'center', valign: 'middle', max: 116, least: 44 },
    [s.ink],
    [s.main, s.pop, s.paper],
    s,
  )
  footline(sheet, work, 876, [s.ink], [s.paper, color], s, { margin: 32, size: 16 })
}

export const gameDesigns: Design[] = [
  { poster: neon, backdrop: alone(neonArt, neonScheme, { floor: 540, y: 280 }) },
  { poster: blocks, backdrop: alone(blocksArt, blocksScheme, { r: 190, floor: 430 }) },
  { poster: pixels, backdrop: alone(pixelsArt, pixelsScheme, { y: 322 }) },
  { poster: burst, backdrop: alone(burstArt, day, { y: 350 }) },
  { poster: vista, backdrop: alone(vistaArt, vistaScheme, { x: 820, y: 360, floor: 590 }) },
  { poster: facets, backdrop: alone(facetsArt, facetsScheme, { y: 340 }) },
  { poster: scope, backdrop: alone(scopeArt, scopeScheme, { y: 360, r: 190 }) },
  { poster: speed, backdrop: alone(speedArt, speedScheme, { y: 330, floor: 640 }) },
]
