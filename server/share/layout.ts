import type { Card } from './card.ts'
import type { ShareShape } from '#shared/domain/share.ts'

/** The middle, the width and the angle in degrees. All lengths are pixels. */
export type PosterPlace = { x: number; y: number; width: number; angle: number }
export type TextPlace = {
  left: number
  top: number
  width: number
  height: number
  align: 'left' | 'center'
  above: 0 | 0.5 | 1
  heading: number
  body: number
}
type Layout = { posters: (count: number) => PosterPlace[]; text: TextPlace }

const ratio = 1.5
export const posterHeight = (width: number) => Math.round(width * ratio)

const single = (x: number, y: number, width: number) => (count: number) =>
  count === 0 ? [] : [{ x, y, width, angle: 0 }]

/** At most five, by 6°, the first one on top. */
const fan = (x: number, y: number, width: number) => (count: number) => {
  const shown = Math.min(count, 5)
  return Array.from({ length: shown }, (_, at) => {
    const side = at - (shown - 1) / 2
    return {
      x: Math.round(x + side * width * 0.46),
      y: Math.round(y + side * side * width * 0.055),
      width,
      angle: side * 6,
    }
  })
}

/** Around the middle `x`; the number of posters of each row. */
const rows =
  (x: number, top: number, width: number, gap: number, lengths: readonly number[]) => (count: number) => {
    let left = count
    return lengths.flatMap((length, row) => {
      const shown = Math.min(length, Math.max(0, left))
      left -= shown
      return Array.from({ length: shown }, (_, at) => ({
        x: x + Math.round((at - (shown - 1) / 2) * (width + gap)),
        y: top + posterHeight(width) / 2 + row * (posterHeight(width) + gap),
        width,
        angle: 0,
      }))
    })
  }

const mosaic = (width: number, columns: number, lines: number) => (count: number) =>
  // Few titles would only repeat.
  count < 4
    ? []
    : Array.from({ length: columns * lines }, (_, at) => ({
        x: width * ((at % columns) + 0.5),
        y: posterHeight(width) * (Math.floor(at / columns) + 0.5),
        width,
        angle: 0,
      }))

const left = { align: 'left', above: 0.5 } as const
const middle = { align: 'center', above: 0.5 } as const

export const layouts: Record<Card['look'], Record<ShareShape, Layout>> = {
  reviews: {
    wide: {
      posters: single(224, 315, 320),
      text: { left: 440, top: 56, width: 696, height: 500, ...left, heading: 68, body: 34 },
    },
    square: {
      posters: single(262, 500, 380),
      text: { left: 500, top: 120, width: 508, height: 760, ...left, heading: 68, body: 38 },
    },
    tall: {
      posters: single(540, 590, 560),
      text: { left: 90, top: 1080, width: 900, height: 660, ...middle, above: 0, heading: 92, body: 46 },
    },
  },
  lists: {
    wide: {
      posters: fan(840, 300, 220),
      text: { left: 64, top: 56, width: 420, height: 500, ...left, heading: 64, body: 32 },
    },
    square: {
      posters: fan(540, 350, 290),
      text: { left: 72, top: 660, width: 936, height: 300, ...middle, heading: 84, body: 38 },
    },
    tall: {
      posters: fan(540, 640, 340),
      text: { left: 90, top: 1080, width: 900, height: 600, ...middle, above: 0, heading: 104, body: 46 },
    },
  },
  users: {
    wide: {
      posters: rows(600, 240, 196, 20, [5]),
      text: { left: 64, top: 56, width: 1072, height: 150, ...middle, heading: 76, body: 32 },
    },
    square: {
      posters: rows(540, 216, 254, 24, [3, 2]),
      text: { left: 72, top: 36, width: 936, height: 160, ...middle, heading: 84, body: 38 },
    },
    tall: {
      posters: rows(540, 340, 308, 28, [2, 1, 2]),
      text: { left: 90, top: 110, width: 900, height: 200, ...middle, heading: 108, body: 46 },
    },
  },
  years: {
    wide: {
      posters: mosaic(150, 8, 3),
      text: { left: 64, top: 48, width: 900, height: 534, ...left, above: 1, heading: 260, body: 34 },
    },
    square: {
      posters: mosaic(180, 6, 4),
      text: { left: 72, top: 72, width: 936, height: 936, ...left, above: 1, heading: 400, body: 42 },
    },
    tall: {
      posters: mosaic(216, 5, 6),
      text: { left: 90, top: 200, width: 900, height: 1_560, ...left, above: 1, heading: 460, body: 52 },
    },
  },
}
