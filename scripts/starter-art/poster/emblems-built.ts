import type { Emblem, Part } from './emblem.ts'
import { box, circle, flat, map, poly, times, arcPoints } from './path.ts'
import type { Shape } from './path.ts'

export const arch = (x: number, y: number, w: number, h: number): Shape =>
  poly([[x, y + h], ...arcPoints(x + w / 2, y + w / 2, w / 2, 180, 360), [x + w, y + h]])

const windows = (
  x: number,
  y: number,
  columns: number,
  rows: number,
  w: number,
  h: number,
  keep: () => boolean,
) =>
  times(columns * rows, (i) => ({ c: i % columns, f: Math.floor(i / columns) }))
    .filter(keep)
    .map(({ c, f }) => box(x + c * w, y + f * h, w * 0.5, h * 0.52))

export const city: Emblem[] = [
  (r) => {
    const widths = [30, 34, 30, 36, 30]
    const tops = [r.range(-10, 10), r.range(-62, -36), -84, r.range(-40, -20), r.range(-4, 24)]
    let x = -80
    return [
      ['second', circle(r.pick([-46, 52]), -58, 24)],
      ...widths.flatMap((w, i): Part[] => {
        const left = x
        x += w
        const top = tops[i]!
        return [
          [
            i % 2 ? 'shade' : 'main',
            box(left, top, w, 90 - top),
            ...(i === 2 ? [flat(left + 10, top, left + w / 2, top - 14, left + w - 10, top)] : []),
          ],
          [
            'pop',
            ...windows(left + 6, top + 10, 3, Math.floor((76 - top) / 12), (w - 9) / 3, 12, () =>
              r.chance(0.55),
            ),
          ],
        ]
      }),
    ]
  },
  () => [
    ...times(6, (i): Part => {
      const s = 1 - i * 0.14
      return [
        (['shade', 'main'] as const)[i % 2]!,
        box(-74 * s, 90 - 150 * (0.3 + i * 0.14), 148 * s, 150 * (0.3 + i * 0.14)),
      ]
    }),
    ['main', flat(-6, -60, 0, -99, 6, -60)],
    [
      'pop',
      ...times(7, (i) =>
        box(-3 + (i - 3) * 8.4, -46 + Math.abs(i - 3) * 20, 3.6, 136 - Math.abs(i - 3) * 20),
      ),
    ],
  ],
  (r) => {
    const block = (x: number, y: number, w: number, h: number): Part[] => [
      ['main', flat(x, y, x - w, y - w * 0.5, x - w, y - w * 0.5 - h, x, y - h)],
      ['shade', flat(x, y, x + w, y - w * 0.5, x + w, y - w * 0.5 - h, x, y - h)],
      ['pop', flat(x, y - h, x + w, y - h - w * 0.5, x, y - h - w, x - w, y - h - w * 0.5)],
    ]
    return [
      ...block(0, 34, 28, r.range(70, 84)),
      ...block(-38, 56, 26, r.range(40, 66)),
      ...block(38, 56, 26, r.range(50, 90)),
      ...block(0, 80, 30, r.range(30, 54)),
      ...block(-70, 74, 18, r.range(20, 30)),
      ...block(70, 74, 18, r.range(24, 44)),
    ]
  },
]

export const house: Emblem[] = [
  (r) => [
    ['second', circle(r.range(-40, -10), -40, 50)],
    ['main', flat(-46, 88, -46, -34, -4, -96, 38, -34, 38, 88)],
    ['shade', flat(38, 88, 38, -34, 80, -26, 80, 88)],
    ['pop', flat(-4, -96, 46, -88, 88, -24, 38, -34)],
    ['ground', box(-17, -34, 26, 34)],
    ['pop', box(-14, -31, 9, 28), box(-3, -31, 9, 28)],
    ['ground', box(-28, 40, 20, 48)],
    ['second', box(-98, 86, 196, 6), box(52, -108, 11, 40)],
  ],
  () => [
    ['main', box(-70, 4, 140, 84), flat(-80, 6, -40, -34, 20, -34, 60, 6)],
    ['shade', box(14, -58, 46, 146), flat(6, -56, 37, -98, 68, -56)],
    ['main', flat(6, -56, 37, -98, 37, -56)],
    [
      'pop',
      box(-54, 24, 16, 26),
      box(-22, 24, 16, 26),
      box(28, -40, 18, 28),
      box(28, 14, 18, 28),
      circle(-10, -16, 8),
    ],
    ['ground', arch(-38, 58, 16, 30), box(-46, 35, 1, 1)],
    ['second', box(-92, 86, 184, 6), box(-62, -58, 12, 40)],
  ],
  (r) =>
    times(r.int(5, 6), (i): Part => {
      const s = 1 - i * 0.17
      return [
        (['main', 'ground', 'second', 'ground', 'pop', 'main'] as const)[i]!,
        map(flat(-84, 90, -84, -6, 0, -94, 84, -6, 84, 90), (x, y) => [x * s, 90 + (y - 90) * s]),
      ]
    }),
]

export const door: Emblem[] = [
  (r) => {
    const s = r.pick([-1, 1])
    return (
      [
        ['pop', flat(-40, 84, 40, 84, 92, 99, -20, 99)],
        ['main', box(-52, -94, 104, 180)],
        ['pop', box(-40, -82, 80, 168)],
        ['second', flat(-40, -82, 14, -64, 14, 98, -40, 86)],
        ['shade', flat(-32, -66, 6, -54, 6, 4, -32, 0), flat(-32, 16, 6, 22, 6, 80, -32, 72)],
        ['main', circle(6, 14, 3.6)],
      ] as Part[]
    ).map(([role, ...d]) => [role, ...d.map((p) => map(p, (x, y) => [x * s, y]))] as const)
  },
  (r) =>
    times(r.int(5, 6), (i): Part => {
      const s = 1 - i * 0.165
      return [
        (['main', 'second', 'ground', 'main', 'second', 'pop'] as const)[i]!,
        arch(-66 * s, 92 - 186 * s, 132 * s, 186 * s),
      ]
    }),
  () => [
    ['main', arch(-58, -96, 116, 190)],
    ['ground', arch(-44, -82, 88, 176)],
    ['pop', arch(-44, -82, 88, 176)],
    ...times(6, (i): Part => [i % 2 ? 'shade' : 'second', box(-44 + i * 5, 82 - i * 13, 88 - i * 10, 13)]),
    ['main', circle(0, -18, 9), flat(-9, 17, -5, -8, 5, -8, 9, 17)],
  ],
]

export const tower: Emblem[] = [
  () => [
    [
      'main',
      flat(-38, 90, -30, -44, 30, -44, 38, 90),
      box(-44, -66, 88, 24),
      ...times(4, (i) => box(-44 + i * 24.6, -84, 14, 20)),
    ],
    ['shade', flat(4, -42, 30, -42, 38, 90, 8, 90)],
    ['ground', arch(-13, 44, 26, 46), arch(-6, -22, 12, 26)],
    ['pop', flat(0, -99, 26, -92, 0, -85), box(-1.5, -99, 3, 34), arch(-6, -22, 12, 26)],
    ['second', box(-70, 86, 140, 7)],
  ],
  () => [
    ['second', flat(-6, -64, -100, -98, -100, -44), flat(6, -64, 100, -98, 100, -44)],
    ['main', flat(-30, 88, -18, -44, 18, -44, 30, 88)],
    ['pop', flat(-27.5, 60, -25, 32, 25, 32, 27.5, 60), flat(-22.2, 2, -19.6, -26, 19.6, -26, 22.2, 2)],
    ['shade', box(-25, -50, 50, 8)],
    ['main', box(-14, -78, 28, 30), flat(-18, -78, 0, -98, 18, -78)],
    ['pop', circle(0, -64, 9)],
    ['shade', poly([[-70, 92], ...arcPoints(0, 92, 70, 180, 360, 14), [70, 92]])],
  ],
  (r) => {
    const floors = r.int(7, 8)
    return times(floors, (i): Part[] => {
      const y = 90 - (i + 1) * (176 / floors)
      const w = 66 * (1 - i / (floors + 1.2))
      const h = 176 / floors
      return [
        [i % 2 ? 'shade' : 'main', box(-w, y, w * 2, h)],
        [
          'pop',
          ...times(Math.max(1, Math.floor(w / 10)), (k) => {
            const count = Math.max(1, Math.floor(w / 10))
            return arch(-w + ((k + 0.5) * w * 2) / count - 3.4, y + 6, 6.8, h - 6)
          }),
        ],
        ['second', box(-w - 4, y - 2, w * 2 + 8, 4)],
      ]
    }).flat()
  },
]
