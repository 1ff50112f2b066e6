import { luminance, mix } from './color.ts'
import { cycle, figure, footline, contrastingColors, schemeFor, setTitle, title } from './compose.ts'
import type { Layout } from './compose.ts'
import { drawFlat, silhouette, inksOf } from './draw.ts'
import { times } from './path.ts'
import { fit } from './set.ts'
import { disc, frame, line, rect } from './sheet.ts'
import { wide } from './show-style.ts'
import { grain } from './texture.ts'
import type { Face } from './type.ts'

/** Bands across the sheet that grow towards the title, with the figure on top of them. */
export const bands: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'middle', 'accent')
  const block = setTitle(
    work.name,
    { x: 36, y: 0, w: 528, h: 210 },
    { faces: wide, caps: true, max: 120, least: 40 },
  )
  const foot = Math.max(210, block.bounds.h + 118)
  const colors = cycle(work, s.ground)
  const count = random.int(4, 6)
  const top = 900 - foot
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  const start = top - random.range(150, 210)
  for (let i = 0; i < count; i++) {
    const y0 = start + (top - start) * (i / count) ** 0.8
    sheet.art.push(rect(0, y0, 600, top - y0 + 1, colors[(i + 1) % colors.length]!))
  }
  const base = contrastingColors(s, colors[count % colors.length]!)[0]!
  const ground = random.chance(0.5) ? s.ground : base
  sheet.art.push(rect(0, top, 600, foot, ground))
  const r = Math.min(290, start * 0.5 + 30)
  sheet.art.push(figure(sheet, work, { x: 300, y: Math.max(r + 30, start - r + 56), r }, s))
  grain(sheet, 0.7)
  const { color } = title(
    sheet,
    work,
    { x: 36, y: top + 34, w: 528, h: foot - 96 },
    { faces: wide, caps: true, max: 120, least: 40 },
    [ground],
    contrastingColors(s, ground),
    s,
  )
  footline(sheet, work, 872, [ground], [color], s, { margin: 36 })
}

/** The title repeated, fading towards the legible one. */
export const refrain: Layout = (sheet, work) => {
  const { random } = work
  if (work.name.length > 15) return slices(sheet, work)
  const s = schemeFor(work, 'back', 'middle', 'accent')
  const face: Face = random.pick(['wide', 'condensed', 'grotesk'])
  const block = fit(work.name, { x: 36, y: 0, w: 528, h: 136 }, { face, caps: true, lines: 2 })
  const step = block.bounds.h * 1.12 + 8
  const repeats = Math.max(2, Math.min(7, Math.floor(370 / step)))
  const down = random.chance(0.5)
  const first = down ? 40 : 840 - repeats * step
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  const ink =
    [s.pop, s.main, s.paper, s.ink].find((c) => Math.abs(luminance(c) - luminance(s.ground)) > 0.25) ??
    s.paper
  const last = down ? repeats - 1 : 0
  times(repeats, (i) => {
    const away = Math.abs(i - last)
    if (!away) return
    const copy = fit(
      work.name,
      { x: 36, y: first + i * step, w: 528, h: block.bounds.h + 0.5 },
      { face, caps: true, lines: 2 },
    )
    sheet.art.push(
      line(copy.d, mix(s.ground, away % 2 ? s.main : s.second, Math.max(0.25, 1 - away * 0.13)), 2),
    )
  })
  const [from, to] = down ? [first + repeats * step + 24, 836] : [36, first - 36]
  const r = Math.min(270, (to - from) * 0.46)
  sheet.art.push(figure(sheet, work, { x: 300, y: (from + to) / 2, r }, s))
  grain(sheet, 0.7)
  const { color } = title(
    sheet,
    work,
    { x: 36, y: first + last * step, w: 528, h: block.bounds.h + 0.5 },
    { faces: [face], caps: true, lines: 2, least: 1 },
    [s.ground],
    [ink],
    s,
  )
  footline(sheet, work, 874, [s.ground], [color], s, { margin: 36 })
}

/** Thick concentric arcs with the figure in their centre. */
export const bows: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'accent', 'middle', 'paper')
  const colors = cycle(work, s.ground)
  const low = random.chance(0.6)
  const [x, y] = [random.pick([300, 300, 170, 430]), low ? 640 : 260]
  const count = random.int(5, 7)
  const reach = 560
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  const bowsOf = times(count, (i) =>
    disc(x, y, reach - (i * (reach - 190)) / count, colors[(i + 1) % colors.length]!),
  ).join('')
  sheet.art.push(frame(low ? { x: 0, y: 0, w: 600, h: 640 } : { x: 0, y: 0, w: 600, h: 600 }, bowsOf))
  const core = random.pick([s.ground, contrastingColors(s, s.ground)[0]!])
  const inner =
    core === s.ground
      ? s
      : {
          ...s,
          ground: core,
          main: s.ground,
          second: s.second === core ? s.pop : s.second,
          pop: s.pop === core ? s.paper : s.pop,
        }
  sheet.art.push(low ? frame({ x: 0, y: 0, w: 600, h: 640 }, disc(x, y, 200, core)) : disc(x, y, 200, core))
  sheet.art.push(
    low
      ? frame({ x: 0, y: 0, w: 600, h: 640 }, figure(sheet, work, { x, y: y - 66, r: 116 }, inner, 'flat'))
      : figure(sheet, work, { x, y, r: 138 }, inner, 'flat'),
  )
  grain(sheet, 0.7)
  const area = low ? { x: 36, y: 668, w: 528, h: 160 } : { x: 36, y: 630, w: 528, h: 196 }
  const { color } = title(
    sheet,
    work,
    area,
    { faces: wide, caps: random.chance(0.6), max: 104, valign: 'middle' },
    [s.ground],
    [s.main, s.pop, s.second],
    s,
  )
  footline(sheet, work, 872, [s.ground], [color], s, { margin: 36 })
}

/** The figure in shifted strips. */
export const slices: Layout = (sheet, work) => {
  const { random } = work
  const s = schemeFor(work, 'back', 'accent', 'middle', 'ink')
  const count = random.int(5, 8)
  const [top, h] = [70, 520]
  const stairs = random.chance(0.5)
  const lean = random.range(9, 15) * random.pick([-1, 1])
  const step = h / count
  sheet.art.push(rect(0, 0, 600, 900, s.ground))
  const busy = silhouette(work.parts).length > 40
  const alternate = { ...inksOf(s), main: s.second, second: s.main, shade: mix(s.second, s.ground, 0.25) }
  times(count, (i) => {
    const slip = stairs ? (i - (count - 1) / 2) * lean : i % 2 ? lean : -lean
    const odd = i % 3 === 1
    if (odd && random.chance(0.6))
      sheet.art.push(rect(0, top + i * step, 600, step, mix(s.ground, s.second, 0.22)))
    const place = { x: 300 + slip, y: h / 2 - i * step, r: 250 }
    const ground = sheet.art.at(-1)!.includes(mix(s.ground, s.second, 0.22))
      ? mix(s.ground, s.second, 0.22)
      : s.ground
    sheet.art.push(
      frame(
        { x: 0, y: top + i * step, w: 600, h: step - (busy ? 0 : 3) },
        drawFlat(
          work.parts,
          place,
          odd
            ? { ...alternate, ground, main: s.pop === s.ground ? s.main : s.pop }
            : { ...inksOf(s), ground },
        ),
      ),
    )
  })
  grain(sheet, 0.7)
  const { color } = title(
    sheet,
    work,
    { x: 36, y: 634, w: 528, h: 192 },
    { faces: wide, caps: true, max: 116, valign: 'bottom', least: 40 },
    [s.ground],
    [s.main, s.pop, s.second],
    s,
  )
  footline(sheet, work, 872, [s.ground], [color], s, { margin: 36 })
}
