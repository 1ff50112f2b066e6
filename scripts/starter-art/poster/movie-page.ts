import { firstLegible, luminance, mix, schemeOf, shade } from './color.ts'
import {
  credits,
  figure,
  footline,
  neighbour,
  contrastingColors,
  schemeFor,
  setTitle,
  small,
  title,
} from './compose.ts'
import type { Layout } from './compose.ts'
import { inksOf } from './draw.ts'
import { landscapes, sceneOf } from './scenes.ts'
import { frame, gradient, rect, upright, write } from './sheet.ts'
import { grain, halftone, spray } from './texture.ts'
import type { Face } from './type.ts'

const bold: Face[] = ['condensed', 'grotesk', 'soft']

/** The motif’s scene over the whole sheet, with the title in its sky or on the ground below. */
export const world: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'back', 'middle', 'accent')
  const motif = work.title.art.motif
  const sky = landscapes.has(motif) && random.chance(0.65)
  const inks = inksOf(s)
  if (sky) {
    const block = setTitle(
      work.name,
      { x: 44, y: 92, w: 512, h: 260 },
      { faces: ['condensed'], caps: true, max: 150 },
    )
    const top = Math.max(190, block.bounds.y + block.bounds.h - 40)
    const low = mix(s.ground, s.second, 0.32)
    const fill = gradient(
      sheet,
      [
        [0, s.ground],
        [0.45, s.ground],
        [1, low],
      ],
      [0, 0, 0, 900],
    )
    sheet.art.push(rect(0, 0, 600, 900, fill))
    sheet.art.push(
      frame(
        { x: 0, y: top, w: 600, h: 900 - top },
        sceneOf({ w: 600, h: 900 - top, random: random.fork('scene'), inks, motif, open: true }),
      ),
    )
    grain(sheet)
    const { color } = title(
      sheet,
      work,
      { x: 44, y: 92, w: 512, h: top - 60 },
      { faces: [random.pick(bold), 'condensed'], caps: true, max: 150, align: 'center' },
      [s.ground, mix(s.ground, low, 0.1)],
      [s.pop, s.main, s.paper],
      s,
    )
    footline(sheet, work, 58, [s.ground], [color], s)
    return
  }
  const foot = random.pick([s.ground, shade(s.ground, luminance(s.ground) > 0.4 ? 0.04 : -0.05), s.ink])
  const block = setTitle(
    work.name,
    { x: 40, y: 600, w: 520, h: 232 },
    { faces: ['condensed'], caps: true, valign: 'bottom', max: 170 },
  )
  const top = Math.min(690, block.bounds.y - 40)
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  sheet.art.push(
    frame(
      { x: 0, y: 0, w: 600, h: top },
      sceneOf({ w: 600, h: top, random: random.fork('scene'), inks, motif }),
    ),
    rect(0, top, 600, 900 - top, foot),
  )
  grain(sheet)
  const { color } = title(
    sheet,
    work,
    { x: 40, y: 600, w: 520, h: 232 },
    { faces: ['condensed'], caps: true, valign: 'bottom', max: 170 },
    [foot],
    contrastingColors(s, foot),
    s,
  )
  footline(sheet, work, 868, [foot], [color], s, { margin: 40 })
}

/** Every line of the title as wide as the sheet, with the figure below or above. */
export const slab: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'accent', 'middle', 'paper')
  const above = random.chance(0.6)
  const face = random.pick(['condensed', 'grotesk'] as const)
  const style = {
    faces: [face, 'condensed'] as Face[],
    caps: true,
    justified: true,
    valign: above ? ('top' as const) : ('bottom' as const),
    least: 40,
  }
  const area = above ? { x: 36, y: 36, w: 528, h: 470 } : { x: 36, y: 392, w: 528, h: 440 }
  const block = setTitle(work.name, area, style)
  const { bounds } = block
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  const [from, to] = above ? [bounds.y + bounds.h + 30, 842] : [36, bounds.y - 30]
  const panel = random.chance(0.5)
  if (panel) {
    const field = random.pick([s.second, s.main])
    const inner = { ...s, ground: field, main: s.ground, second: field === s.second ? s.main : s.second }
    sheet.art.push(rect(0, above ? from : 0, 600, above ? 900 - from : to, field))
    sheet.art.push(
      spray(
        random,
        { x: 0, y: above ? from : 0, w: 600, h: above ? 900 - from : to },
        shade(field, -0.14),
        'bottom',
        { count: 2400, alpha: 0.5 },
      ),
    )
    const room = above ? 840 - from : to
    const size = Math.min(280, room * 0.46)
    sheet.art.push(figure(sheet, work, { x: 300, y: above ? from + room / 2 : to / 2, r: size }, inner))
    grain(sheet)
    title(sheet, work, area, style, [s.ground], [s.main, s.pop, s.second], s)
    footline(sheet, work, 872, [above ? field : s.ground], [s.ground, s.main], s, { margin: 36 })
    return
  }
  sheet.art.push(figure(sheet, work, { x: 300, y: (from + to) / 2, r: Math.min(290, (to - from) * 0.48) }, s))
  grain(sheet)
  const { color } = title(sheet, work, area, style, [s.ground], [s.pop, s.main, s.second], s)
  footline(sheet, work, 872, [s.ground], [color], s, { margin: 36 })
}

/** Paper with one block of colour on a grid, and small, tight type. */
export const swiss: Layout = (sheet, work) => {
  const { random } = work
  const outer = schemeFor(work, 'paper', 'paper', 'accent')
  const inner = schemeOf(work.title.art.palette, random.pick(['back', 'middle']))
  const full = random.chance(0.4)
  const picture = full ? { x: 0, y: 0, w: 600, h: 600 } : { x: 40, y: 40, w: 520, h: 560 }
  sheet.art.push(
    rect(0, 0, 600, 900, outer.ground),
    rect(picture.x, picture.y, picture.w, picture.h, inner.ground),
  )
  if (random.chance(0.5) || !landscapes.has(work.title.art.motif)) {
    const cropped = random.chance(0.5)
    const place = cropped
      ? {
          x: picture.w * random.pick([0.34, 0.66]),
          y: picture.h * 0.54,
          r: picture.w * 0.62,
          turn: random.range(-16, 16),
        }
      : { x: picture.w / 2, y: picture.h / 2, r: picture.w * 0.41 }
    sheet.art.push(frame(picture, figure(sheet, work, place, inner)))
  } else {
    sheet.art.push(
      frame(
        picture,
        sceneOf({
          w: picture.w,
          h: picture.h,
          random: random.fork('scene'),
          inks: inksOf(inner),
          motif: work.title.art.motif,
        }),
      ),
    )
  }
  grain(sheet, 0.8)
  const { color, bounds } = title(
    sheet,
    work,
    { x: 40, y: 630, w: random.pick([520, 400]), h: 168 },
    { faces: ['grotesk', 'condensed'], leading: 0.96, tracking: -0.02, max: 92, least: 34 },
    [outer.ground],
    [inner.ground, outer.ink],
    outer,
  )
  const rule = Math.max(bounds.y + bounds.h + 20, 822)
  sheet.art.push(rect(40, rule, 520, 3, color))
  footline(sheet, work, Math.max(rule + 32, 862), [outer.ground], [color], outer, {
    margin: 40,
    caps: false,
    size: 20,
  })
}

/** A short title, rotated by 90°. */
export const pillar: Layout = (sheet, work) => {
  const { random } = work
  if (work.name.length > 16 || work.name.length < 4) return slab(sheet, work)
  const s = schemeFor(work, 'back', 'accent', 'middle')
  const column = contrastingColors(s, s.ground)[random.int(0, 1)]!
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  sheet.art.push(
    halftone({ x: 190, y: 0, w: 410, h: 900 }, neighbour(s, 0.07), random.pick(['bottom', 'top', 'right']), {
      step: 15,
      reach: 0.9,
    }),
  )
  const place = { x: 430, y: 450, r: 330, turn: random.pick([0, 0, -12]) }
  sheet.art.push(figure(sheet, work, place, s), rect(0, 0, 190, 900, column))
  grain(sheet)
  const block = setTitle(
    work.name,
    { x: 0, y: 0, w: 812, h: 134 },
    { faces: ['condensed'], caps: true, max: 230, lines: 1 },
  )
  const standing = upright(block, 95 - block.bounds.y - block.bounds.h / 2, 858)
  const preferred = [s.ground, ...contrastingColors(s, column)]
  const chosen = firstLegible([column], preferred, 5.7)
  write(sheet, 'title', standing, chosen, [column])
  sheet.art.push(rect(210, 832, 390, 68, s.ground))
  small(sheet, credits(work), { x: 226, y: 872, w: 270, size: 17 }, [s.ground], [s.main, s.pop], s)
  small(sheet, work.year, { x: 500, y: 872, w: 60, size: 17, align: 'right' }, [s.ground], [s.main, s.pop], s)
}
