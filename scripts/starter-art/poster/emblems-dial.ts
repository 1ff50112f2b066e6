import type { Emblem } from './emblem.ts'
import { bar, box, circle, flat, lens, polar, poly, ring, sector, times, turn } from './path.ts'
import type { Shape } from './path.ts'

export const eye: Emblem[] = [
  (r) => [
    ['main', lens(-98, 0, 98, 0, 56)],
    ['ground', lens(-80, 0, 80, 0, 43)],
    ['second', circle(0, 0, 40)],
    ['main', circle(0, 0, 27)],
    ['pop', circle(0, 0, r.range(11, 15))],
    ['ground', circle(14, -14, 7)],
  ],
  (r) => {
    const count = r.pick([9, 11, 13])
    return [
      [
        'second',
        ...times(count, (i) => {
          const a = -168 + (i * 156) / (count - 1)
          return bar(...polar(0, 18, 66, a), ...polar(0, 18, 98, a), 5, 8)
        }),
      ],
      ['main', lens(-92, 18, 92, 18, 52)],
      ['pop', circle(0, 18, 34)],
      ['shade', circle(0, 18, 18)],
      ['ground', circle(10, 8, 6)],
    ]
  },
  () => [
    ['main', lens(0, -98, 0, 98, 62)],
    ['ground', ...times(5, (i) => ring(0, 0, 58 - i * 10, 54 - i * 10))],
    ['pop', lens(0, -52, 0, 52, 15)],
  ],
  (r) => [
    ['main', circle(0, 0, 94)],
    ['ground', circle(0, 0, 84)],
    [
      'second',
      ...times(24, (i) =>
        bar(...polar(0, 0, 36, i * 15), ...polar(0, 0, 78 - (i % 2) * r.range(4, 18), i * 15), 3, 7),
      ),
    ],
    ['main', circle(0, 0, 38)],
    ['pop', circle(0, 0, 16)],
    ['ground', circle(16, -18, 9)],
  ],
]

export const clock: Emblem[] = [
  (r) => {
    const hour = r.int(0, 11)
    const minute = r.int(0, 11)
    return [
      ['main', circle(0, 0, 94)],
      ['ground', circle(0, 0, 81)],
      [
        'second',
        ...times(12, (i) =>
          bar(...polar(0, 0, i % 3 ? 66 : 58, i * 30), ...polar(0, 0, 76, i * 30), i % 3 ? 4 : 8),
        ),
      ],
      ['main', bar(0, 0, ...polar(0, 0, 42, hour * 30 - 90 + minute * 2.5), 9, 5)],
      ['pop', bar(0, 0, ...polar(0, 0, 66, minute * 30 - 90), 6, 3), circle(0, 0, 9)],
    ]
  },
  (r) => {
    const sand = r.range(14, 34)
    return [
      ['main', box(-62, -98, 124, 14, 5), box(-62, 84, 124, 14, 5)],
      [
        'second',
        'M-50 -84L50 -84C50 -36 10 -22 6 0C10 22 50 36 50 84L-50 84C-50 36 -10 22 -6 0C-10 -22 -50 -36 -50 -84Z',
      ],
      [
        'pop',
        'M-38 -46L38 -46C26 -24 8 -16 3 0L-3 0C-8 -16 -26 -24 -38 -46Z',
        `M-46 84C-30 ${84 - sand} -12 ${60 - sand} 0 ${54 - sand}C12 ${60 - sand} 30 ${84 - sand} 46 84Z`,
        box(-1.6, -2, 3.2, 64),
      ],
    ]
  },
  (r) => [
    ['second', circle(0, 0, 96)],
    ['pop', sector(0, 0, 96, -90, r.pick([-30, 30, 60, 120, 150]))],
    [
      'main',
      ...times(60, (i) =>
        bar(...polar(0, 0, i % 5 ? 86 : 76, i * 6), ...polar(0, 0, 92, i * 6), i % 5 ? 1.6 : 4),
      ),
    ],
    ['main', circle(0, 0, 12)],
  ],
]

const gear = (x: number, y: number, r: number, teeth: number, hole: number): Shape =>
  poly(
    times(teeth * 4, (i) =>
      polar(x, y, i % 4 < 2 ? r : r * 0.82, ((i + (i % 2 ? -0.12 : 0.12)) * 90) / teeth),
    ),
  ) + circle(x, y, hole)

export const wheel: Emblem[] = [
  (r) => {
    const spokes = r.pick([8, 10, 12])
    return [
      ['main', ring(0, 0, 96, 80)],
      ['second', ring(0, 0, 76, 70)],
      [
        'main',
        ...times(spokes, (i) =>
          bar(...polar(0, 0, 14, (i * 360) / spokes), ...polar(0, 0, 82, (i * 360) / spokes), 8, 4),
        ),
      ],
      ['pop', circle(0, 0, 21)],
      ['ground', circle(0, 0, 8)],
    ]
  },
  (r) => {
    const t = r.pick([10, 12])
    return [
      ['second', turn(gear(52, 52, 44, 9, 16), 12, 52, 52)],
      ['main', gear(-18, -18, 74, t, 26)],
      ['pop', ring(-18, -18, 50, 42)],
    ]
  },
  () => [
    ['second', flat(-4, 0, 4, 0, 42, 98, 32, 98), flat(-4, 0, 4, 0, -32, 98, -42, 98)],
    [
      'main',
      ring(0, -14, 82, 77),
      ring(0, -14, 60, 57),
      ...times(12, (i) => bar(0, -14, ...polar(0, -14, 80, i * 30), 2.4)),
    ],
    [
      'pop',
      ...times(12, (i) => {
        const [x, y] = polar(0, -14, 80, i * 30 + 15)
        return sector(x, y - 2, 10, 0, 180)
      }),
    ],
    [
      'second',
      ...times(12, (i) => {
        const [x, y] = polar(0, -14, 80, i * 30 + 15)
        return sector(x, y - 4, 10, 180, 360)
      }),
    ],
    ['main', circle(0, -14, 12)],
  ],
]
