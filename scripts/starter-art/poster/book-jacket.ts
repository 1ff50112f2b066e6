import { author, binding, display, roman } from './book-style.ts'
import { distance, mix, schemeOf } from './color.ts'
import type { Color } from './color.ts'
import { figure, neighbour, contrastingColors, schemeFor, setTitle, small, title } from './compose.ts'
import type { Layout, Work } from './compose.ts'
import { drawFlat, inksOf } from './draw.ts'
import { box } from './path.ts'
import { landscapes, sceneOf } from './scenes.ts'
import { frame, gradient, rect, shape } from './sheet.ts'
import { grain } from './texture.ts'
import type { Face } from './type.ts'

/** The grid of a book series: text and rules above, the picture below. */
export const series: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'middle', 'accent')
  const head = random.pick([s.paper, s.paper, s.ground])
  const top = head === s.ground ? s : { ...s, ground: head }
  const inner = head === s.ground ? schemeOf(work.title.art.palette, 'paper') : s
  const split_ = 322
  sheet.art.push(rect(0, 0, 600, 900, head))
  const picture = { x: 0, y: split_, w: 600, h: 900 - split_ }
  const inks = inksOf(inner)
  sheet.art.push(rect(picture.x, picture.y, picture.w, picture.h, inner.ground))
  sheet.art.push(
    frame(
      picture,
      random.chance(0.55)
        ? sceneOf({ w: 600, h: picture.h, random: random.fork('scene'), inks, motif: work.title.art.motif })
        : figure(
            sheet,
            work,
            {
              x: random.pick([300, 330]),
              y: picture.h * 0.52,
              r: random.pick([250, 380]),
              turn: random.range(-8, 8),
            },
            inner,
          ),
    ),
  )
  const ink = [inner.ground, s.second, s.ink].find((c) => distance(c, head) > 0.4) ?? s.ink
  const rule = (y: number, h = 2) => rect(52, y, 504, h, mix(head, ink, 0.9))
  sheet.art.push(rule(44, 5), rule(96), rule(split_ - 62))
  grain(sheet)
  binding(sheet)
  small(
    sheet,
    author(work),
    { x: 52, y: 82, w: 420, size: 25, face: 'plain', caps: false, tracking: -0.005 },
    [head],
    [ink],
    top,
  )
  small(
    sheet,
    work.year,
    { x: 476, y: 82, w: 80, size: 25, face: 'plain', caps: false, align: 'right' },
    [head],
    [ink],
    top,
  )
  title(
    sheet,
    work,
    { x: 52, y: 114, w: 504, h: split_ - 62 - 132 },
    {
      faces: ['softText', 'serifBold'],
      max: 74,
      least: 30,
      valign: 'middle',
      leading: 0.98,
      tracking: -0.01,
    },
    [head],
    [ink, s.ink],
    top,
  )
  small(
    sheet,
    genre(work),
    { x: 52, y: split_ - 24, w: 504, size: 18, face: 'plain', caps: false },
    [head],
    [ink],
    top,
  )
}

const genre = (work: Work) => [work.title.genres.slice(0, 2).join(', '), work.title.genres[0] ?? '']

/** The author’s name as large as the title, the figure at the bottom. */
export const name: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'middle', 'accent', 'paper')
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  const r = random.pick([270, 330])
  sheet.art.push(figure(sheet, work, { x: 312, y: 900 - r * 0.84, r }, s))
  const preferred = [s.main, s.pop, s.second]
  const writer = author(work)
  const last = writer.at(-1)
  grain(sheet)
  binding(sheet)
  let y = 66
  if (last) {
    const style = {
      faces: ['serifBold'] as Face[],
      caps: true,
      tracking: 0.02,
      align: 'center' as const,
      max: 62,
      lines: 2,
      least: 1,
    }
    const block = setTitle(last, { x: 62, y, w: 488, h: 100 }, style)
    const ink = contrastingColors(s, s.ground)[0]!
    const text = small(
      sheet,
      last.length > 26 ? writer : last,
      {
        x: 62,
        y: y + 44,
        w: 488,
        size: Math.min(52, block.size),
        face: 'serifBold',
        align: 'center',
        tracking: 0.02,
      },
      [s.ground],
      [ink],
      s,
    )
    y = (text ? text.y + text.h : y) + 22
    sheet.art.push(rect(280, y, 52, 3, ink))
    y += 22
  }
  title(
    sheet,
    work,
    { x: 66, y, w: 480, h: 900 - r * 1.84 - y - 18 > 130 ? 900 - r * 1.84 - y - 18 : 130 },
    {
      faces: ['softItalic', 'softText'],
      align: 'center',
      max: work.name.length < 10 ? 112 : 72,
      least: 26,
      leading: 1.04,
    },
    [s.ground],
    preferred,
    s,
  )
}

/** The motif’s scene over the whole jacket, with text on its sky. */
export const jacket: Layout = (sheet, work) => {
  const { random } = work
  const motif = work.title.art.motif
  const s = schemeFor(work, 'back', 'back', 'middle', 'accent')
  const inks = inksOf(s)
  const open = landscapes.has(motif)
  if (open) {
    const top = 330
    const fill = gradient(
      sheet,
      [
        [0, s.ground],
        [0.4, s.ground],
        [1, mix(s.ground, s.second, 0.35)],
      ],
      [0, 0, 0, 900],
    )
    sheet.art.push(
      rect(0, 0, 600, 900, fill),
      frame(
        { x: 0, y: top, w: 600, h: 900 - top },
        sceneOf({ w: 600, h: 900 - top, random: random.fork('scene'), inks, motif, open: true }),
      ),
    )
    grain(sheet)
    binding(sheet)
    const { color } = title(
      sheet,
      work,
      { x: 60, y: 64, w: 490, h: 210 },
      { faces: random.pick([display, roman]), align: 'center', valign: 'top', max: 92, least: 34 },
      [s.ground],
      [s.main, s.pop, s.paper],
      s,
    )
    const { bounds } = sheet.texts.at(-1)!
    small(
      sheet,
      author(work),
      {
        x: 60,
        y: bounds.y + bounds.h + 52,
        w: 490,
        size: 26,
        face: 'serifBold',
        align: 'center',
        tracking: 0.14,
      },
      [s.ground],
      [color],
      s,
    )
    return
  }
  const plate = random.pick([s.ground, s.ink, s.paper])
  const around_ = { ...s, ground: plate }
  sheet.art.push(
    rect(0, 0, 600, 900, s.ground),
    sceneOf({ w: 600, h: 900, random: random.fork('scene'), inks, motif }),
  )
  const y = random.pick([96, 300, 520])
  const block = setTitle(
    work.name,
    { x: 96, y, w: 418, h: 196 },
    { faces: display, align: 'center', max: 78, least: 32 },
  )
  const height = block.bounds.h + 146
  sheet.art.push(rect(62, y - 8, 486, height, plate))
  const edge = contrastingColors(s, plate)[0]!
  sheet.art.push(shape(box(72, y + 2, 466, height - 20) + box(75, y + 5, 460, height - 26), edge))
  grain(sheet)
  binding(sheet)
  const { color } = title(
    sheet,
    work,
    { x: 96, y: y + 38, w: 418, h: block.bounds.h + 1 },
    { faces: display, align: 'center', max: 78, least: 32 },
    [plate],
    [edge, s.second],
    around_,
  )
  small(
    sheet,
    author(work),
    { x: 96, y: y + height - 44, w: 418, size: 23, face: 'serifBold', align: 'center', tracking: 0.14 },
    [plate],
    [color],
    around_,
  )
}

/** Large soft letters over the whole cover, with flat shapes of the figure between and behind them. */
export const letters: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'accent', 'middle', 'paper')
  const faint = {
    ...inksOf(s),
    main: neighbour(s, 0.09),
    shade: neighbour(s, 0.06),
    second: neighbour(s, 0.13),
    pop: neighbour(s, 0.05),
  }
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  const behind: Color[] = [s.ground, faint.main, faint.shade, faint.second, faint.pop]
  const style = {
    faces: ['soft', 'serifBold'] as Face[],
    leading: 0.94,
    tracking: -0.015,
    max: 150,
    least: 44,
  }
  const area = { x: 64, y: 70, w: 480, h: 520 }
  const block = setTitle(work.name, area, style)
  const bottom = block.bounds.y + block.bounds.h
  const r = Math.min(210, (780 - bottom) * 0.48)
  if (r > 92)
    sheet.art.push(figure(sheet, work, { x: 546 - r, y: bottom + 40 + (790 - bottom - 40) / 2, r }, s))
  else sheet.art.push(drawFlat(work.parts, { x: 360, y: 560, r: 380, turn: random.range(-14, 14) }, faint))
  grain(sheet)
  binding(sheet)
  const { color } = title(
    sheet,
    work,
    area,
    style,
    r > 92 ? [s.ground] : behind,
    [s.main, s.pop, s.paper, s.ink],
    s,
  )
  const writer = author(work)
  small(
    sheet,
    writer,
    { x: 64, y: 846, w: 480, size: 30, face: 'softText', caps: false, tracking: 0 },
    r > 92 ? [s.ground] : behind,
    [color],
    s,
  )
}
