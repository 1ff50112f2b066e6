import { capHeight, outline, run } from './type.ts'
import type { Face, Run } from './type.ts'

/** Pixels. */
export type Box = { x: number; y: number; w: number; h: number }

export type Style = {
  face: Face
  caps?: boolean
  /** Added between letters, in em. */
  tracking?: number
  /** Line height in em. The default is tight for capitals and looser for mixed case. */
  leading?: number
}

export type Fit = Style & {
  align?: 'left' | 'center' | 'right'
  valign?: 'top' | 'middle' | 'bottom'
  /** Maximum size, in pixels per em. */
  max?: number
  /** Maximum number of lines. */
  lines?: number
}

/** Typeset text as path data, with its bounds. */
export type Block = { d: string; bounds: Box; size: number; lines: { bounds: Box; baseline: number }[] }

/** Replaces quotes, dashes and dots by their typographic forms. */
export const toTypographic = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('...', '…')
    .replace(/ - /g, ' – ')
    .replace(/(^|[\s([])"/g, '$1“')
    .replaceAll('"', '”')
    .replace(/(^|[\s([])'(?!\d)/g, '$1‘')
    .replaceAll("'", '’')

const cased = (text: string, caps = false) => (caps ? text.toUpperCase() : text)

/** Words that should not end a line if another break is as good. */
const nonFinalWords = new Set([
  'a',
  'an',
  'the',
  'of',
  'and',
  'to',
  'in',
  'on',
  'or',
  'for',
  'with',
  'my',
  'at',
  '&',
  '–',
  '—',
])

/** Marks where a long hyphenated word may break. */
const seam = '\u200b'

const wordsOf = (text: string) =>
  text
    .split(' ')
    .flatMap((word) =>
      word.length > 12 && word.includes('-') ? word.replace(/-(?=.)/g, `-${seam} `).split(' ') : [word],
    )

/** Joins small words with their neighbours, for lines that are scaled. */
const clustered = (words: readonly string[]) =>
  words.reduce<string[]>((out, word) => {
    const last = out.at(-1)
    if (last !== undefined && isLesser(last) && isLesser(word)) out[out.length - 1] = `${last} ${word}`
    else out.push(word)
    return out
  }, [])

const isLesser = (words: string) =>
  words.split(' ').every((word) => nonFinalWords.has(word.toLowerCase().replace(/:$/, '')))

const joined = (words: readonly string[]) => words.join(' ').replaceAll(`${seam} `, '').replaceAll(seam, '')

/** Splits into exactly this many lines, minimizing the width of the widest; undefined if that is impossible. */
const split = (words: string[], widths: number[], space: number, count: number): string[][] | undefined => {
  const n = words.length
  if (count > n) return undefined
  const span = (i: number, j: number) => {
    let w = (j - i - 1) * space
    for (let k = i; k < j; k++) w += widths[k]!
    return w * (j < n && nonFinalWords.has(words[j - 1]!.toLowerCase()) ? 1.08 : 1)
  }
  let best = Array.from({ length: n + 1 }, (_, j) => ({
    cost: j ? span(0, j) : Infinity,
    breaks: [] as number[],
  }))
  for (let line = 2; line <= count; line++) {
    best = best.map((_, j) => {
      let found = { cost: Infinity, breaks: [] as number[] }
      for (let i = line - 1; i < j; i++) {
        const cost = Math.max(best[i]!.cost, span(i, j))
        if (cost < found.cost) found = { cost, breaks: [...best[i]!.breaks, i] }
      }
      return found
    })
  }
  const breaks = [0, ...best[n]!.breaks, n]
  return breaks.slice(1).map((end, i) => words.slice(breaks[i]!, end))
}

const stack = (runs: Run[], leading: number, first: number) => {
  const baselines = [first]
  for (let i = 1; i < runs.length; i++) {
    baselines.push(baselines[i - 1]! + Math.max(leading, runs[i - 1]!.below + runs[i]!.above + 0.05))
  }
  return baselines
}

/** Typesets the text as large as the box allows, trying every number of lines. */
export const fit = (text: string, box: Box, style: Fit): Block => {
  const { face, caps, tracking = 0, align = 'left', valign = 'top', max = 999, lines: most = 9 } = style
  const leading = style.leading ?? (caps ? capHeight(face) + 0.13 : 1.02)
  const words = wordsOf(cased(text, caps))
  const widths = words.map((word) => run(joined([word]), face, tracking).width)
  const space = run('n n', face, tracking).width - run('nn', face, tracking).width
  let chosen: { runs: Run[]; size: number; score: number; baselines: number[] } | undefined
  for (let count = 1; count <= Math.min(words.length, most); count++) {
    const parts = split(words, widths, space, count)!
    const runs = parts.map((line) => run(joined(line), face, tracking))
    const first = Math.max(runs[0]!.above, caps ? 0 : capHeight(face))
    const baselines = stack(runs, leading, first)
    const height = baselines.at(-1)! + runs.at(-1)!.below
    const size = Math.min(box.w / Math.max(...runs.map((r) => r.width)), box.h / height, max)
    const orphan = parts.slice(1).some((line) => line.join('').length < 3)
    const torn = parts.slice(0, -1).some((line) => line.at(-1)!.endsWith(seam))
    const score = size * (1 - (count - 1) * 0.01) * (orphan ? 0.72 : 1) * (torn ? 0.82 : 1)
    if (!chosen || score > chosen.score) chosen = { runs, size, score, baselines }
  }
  const { runs, size, baselines } = chosen!
  const height = (baselines.at(-1)! + runs.at(-1)!.below) * size
  const top = box.y + (valign === 'top' ? 0 : valign === 'middle' ? (box.h - height) / 2 : box.h - height)
  return place(
    runs.map((line, i) => {
      const free = box.w - line.width * size
      return {
        run: line,
        size,
        x: box.x + (align === 'left' ? 0 : align === 'center' ? free / 2 : free),
        y: top + baselines[i]! * size,
      }
    }),
  )
}

/** Scales each line to the full width, so that short words become large. The whole text stays inside the box. */
export const justify = (
  text: string,
  box: Box,
  style: Style & { valign?: Fit['valign']; gap?: number },
): Block => {
  const { face, caps = true, tracking = 0, valign = 'top', gap = 0.02 } = style
  const words = clustered(wordsOf(cased(text, caps)))
  const widths = words.map((word) => run(joined([word]), face, tracking).width)
  const space = run('n n', face, tracking).width - run('nn', face, tracking).width
  const cap = capHeight(face)
  let best: { items: { run: Run; size: number; y: number }[]; height: number; score: number } | undefined
  for (let count = 1; count <= Math.min(words.length, 8); count++) {
    const runs = split(words, widths, space, count)!.map((line) => run(joined(line), face, tracking))
    let y = 0
    const lesser = split(words, widths, space, count)!.map((line) => line.every(isLesser))
    const sizes = runs.map((line) => Math.min(box.w / line.width, (box.h * 0.62) / cap))
    const least = Math.min(...sizes.filter((_, i) => !lesser[i]))
    const items = runs.map((line, i) => {
      const size = lesser[i] && least < Infinity ? Math.min(sizes[i]!, least * 0.55) : sizes[i]!
      const above = Math.max(line.above, i ? cap : line.above) * size
      y += above + (i ? gap * box.w : 0)
      const item = { run: line, size, y }
      y += (caps ? Math.max(0, line.below - 0.02) : line.below) * size
      return item
    })
    const score = y <= box.h ? y / box.h : (box.h / y) ** 2
    if (!best || score > best.score) best = { items, height: y, score }
  }
  const k = Math.min(1, box.h / best!.height)
  const height = best!.height * k
  const top = box.y + (valign === 'top' ? 0 : valign === 'middle' ? (box.h - height) / 2 : box.h - height)
  return place(
    best!.items.map((item) => ({ run: item.run, size: item.size * k, x: box.x, y: top + item.y * k })),
  )
}

const place = (items: { run: Run; size: number; x: number; y: number }[]): Block => {
  const lines = items.map(({ run: line, size, x, y }) => ({
    baseline: y,
    bounds: { x, y: y - line.above * size, w: line.width * size, h: (line.above + line.below) * size },
  }))
  return {
    d: items.map((i) => outline(i.run, i.x, i.y, i.size)).join(''),
    size: Math.min(...items.map((i) => i.size)),
    lines,
    bounds: boundingBox(lines.map((line) => line.bounds)),
  }
}

/** Returns the bounding box of these boxes. */
export const boundingBox = (boxes: Box[]): Box => {
  const x = Math.min(...boxes.map((b) => b.x))
  const y = Math.min(...boxes.map((b) => b.y))
  const right = Math.max(...boxes.map((b) => b.x + b.w))
  const bottom = Math.max(...boxes.map((b) => b.y + b.h))
  return { x, y, w: right - x, h: bottom - y }
}

/** Splits a title into its main title and, if it is long and has one, its subtitle. */
export const splitSubtitle = (name: string): [string, string | undefined] => {
  const found = name.length > 22 ? /^(.{2,}?)(?:: | [–—] )(.{3,})$/u.exec(name) : null
  if (!found) return [name, undefined]
  const [, head, rest] = found
  const or = / or$/i.exec(head!)
  return or ? [head!.slice(0, or.index), `${or[0].trim()}: ${rest}`] : [head!, rest]
}
