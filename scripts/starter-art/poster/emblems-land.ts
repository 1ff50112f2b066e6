import type { Emblem, Part } from './emblem.ts'
import { arch, city, door, house, tower } from './emblems-built.ts'
import { arcPoints, bar, box, circle, ellipse, flat, map, poly, sector, slice, thick, times } from './path.ts'
import type { Point, Shape } from './path.ts'

/** A ring that masks everything outside the disc of this radius, for polygons that extend beyond it. */
const sine = (y: number, amp: number, length: number, shift: number, r: number): Point[] => {
  const half = Math.sqrt(Math.max(0, r * r - y * y))
  return times(33, (i) => {
    const x = -half + (half * 2 * i) / 32
    return [x, y + Math.sin(((x + shift) / length) * Math.PI * 2) * amp] as const
  })
}

/** Water below a wavy line, inside a disc. */
const water = (y: number, amp: number, length: number, shift: number, r: number): Shape => {
  const line = sine(y, amp, length, shift, r)
  const a = (Math.asin(y / r) * 180) / Math.PI
  return poly([...line, ...arcPoints(0, 0, r, a, 180 - a)])
}

const peak = (x: number, top: number, half: number, base: number, snow: number): Part[] => {
  const h = base - top
  const s = half * snow
  const y = top + h * snow
  return [
    ['main', flat(x - half, base, x, top, x + half, base)],
    [
      'shade',
      flat(
        x,
        top,
        x + half,
        base,
        x + half * 0.12,
        base,
        x - half * 0.16,
        top + h * 0.55,
        x + half * 0.06,
        top + h * 0.35,
      ),
    ],
    [
      'pop',
      flat(
        x,
        top,
        x + s,
        y,
        x + s * 0.45,
        y - h * 0.05,
        x + s * 0.1,
        y + h * 0.08,
        x - s * 0.35,
        y - h * 0.04,
        x - s,
        y,
      ),
    ],
  ]
}

const mountain: Emblem[] = [
  (r) => [
    ['second', circle(r.range(30, 50), -48, 30)],
    ...peak(-46, -22, 52, 80, 0.3),
    ...peak(50, -8, 48, 80, 0.3),
    ...peak(4, -84, 76, 80, 0.34),
  ],
  (r) =>
    times(r.int(5, 7), (i) => {
      const s = 1 - i * 0.155
      return [
        (['main', 'second', 'pop', 'shade'] as const)[i % 4]!,
        flat(-98 * s, 84, 0, 84 - 176 * s, 98 * s, 84),
      ] as const
    }),
  (r) => {
    const steps = 9
    const lean = r.range(-12, 12)
    return [
      ['second', circle(lean > 0 ? -52 : 52, -56, 26)],
      ...times(steps, (i) => {
        const y = -84 + i * 19
        const w = 12 + i * 10.4
        return [
          i % 3 === 1 ? 'shade' : i < 2 ? 'pop' : 'main',
          poly([
            [lean - w + 8, y],
            [lean + w - 8, y],
            [lean + w + 4, y + 15],
            [lean - w - 4, y + 15],
          ]),
        ] as const
      }),
    ]
  },
]

const sea: Emblem[] = [
  () => {
    const scale = (x: number, y: number): Part[] =>
      (['ground', 'main', 'ground', 'second', 'ground', 'pop'] as const).map(
        (role, i) => [role, sector(x, y, 26 - i * 4.2, 180, 360)] as const,
      )
    return times(6, (row) =>
      times(row % 2 ? 4 : 3, (i) => scale((row % 2 ? -75 : -50) + i * 50, -34 + row * 21)).flat(),
    ).flat()
  },
  (r) => {
    const shift = r.range(0, 50)
    return [
      ['second', circle(0, 0, 94)],
      ['pop', circle(22, -30, 28)],
      ['main', water(-14, 7, 62, shift, 94)],
      ['shade', water(12, 7, 62, shift + 31, 94)],
      ['main', water(38, 7, 62, shift, 94)],
      ['pop', water(64, 6, 62, shift + 31, 94)],
    ]
  },
  (r) => {
    const wave = (y: number, w: number) =>
      thick(
        sine(y, 8, 48, y * 3, 1000).map((_, i) => {
          const x = -w + (w * 2 * i) / 32
          return [x, y + Math.sin((x / 32) * Math.PI) * 6] as const
        }),
        9,
      )
    return [
      ['pop', sector(0, -6, 56, 180, 360)],
      ['second', sector(0, -6, 34, 180, 360)],
      ['main', ...times(5, (i) => wave(14 + i * 19, 96 - i * r.int(12, 14)))],
    ]
  },
]

const fir = (x: number, base: number, h: number, tiers = 3): Part[] => {
  const w = h * 0.3
  return [
    ['second', box(x - h * 0.035, base - h * 0.14, h * 0.07, h * 0.14)],
    ...times(tiers, (i): Part[] => {
      const b = base - h * 0.1 - (i * h * 0.66) / tiers
      const t = b - h * (0.42 - i * 0.02)
      const s = w * (1 - i * 0.24)
      return [
        ['main', flat(x - s, b, x, t, x + s, b)],
        ['shade', flat(x, t, x + s, b, x, b)],
      ]
    }).flat(),
  ]
}

const forest: Emblem[] = [
  (r) => [
    ['pop', circle(r.range(-30, 30), -20, 46)],
    ...fir(-56, 84, 128),
    ...fir(58, 84, 112),
    ...fir(2, 90, 176, 4),
  ],
  (r) => {
    const tree = (x: number, base: number, s: number): Part[] => [
      ['second', box(x - 3, base - s * 1.6, 6, s * 1.6)],
      ['main', ellipse(x, base - s * 1.8, s * 0.72, s)],
      ['shade', poly(arcPoints(x, base - s * 1.8, s * 0.72, -90, 90, s))],
      [
        'second',
        bar(x, base - s * 1.1, x + s * 0.3, base - s * 1.6, 3),
        bar(x, base - s * 1.3, x - s * 0.28, base - s * 1.8, 3),
      ],
    ]
    return [
      ...tree(-62, 84, 44),
      ...tree(62, 84, r.range(40, 50)),
      ...tree(0, 90, 66),
      ['pop', box(-98, 84, 196, 5)],
    ]
  },
  (r) => {
    const trunks = times(7, (i) => -82 + i * 27 + r.range(-4, 4))
    return [
      ['pop', circle(0, -8, 62)],
      ...trunks.map((x, i): Part => {
        const w = 7 + (i % 3) * 4
        const y = Math.sqrt(Math.max(0, 97 * 97 - x * x))
        return [
          i % 2 ? 'main' : 'shade',
          bar(x, -y, x + r.range(-5, 5), y, w * 0.7, w * 1.2),
          bar(x, -y * 0.4, x + (i % 2 ? 16 : -16), -y * 0.4 - 26, 4, 1.6),
        ]
      }),
    ]
  },
]

const desert: Emblem[] = [
  (r) => [
    ['second', circle(r.range(-24, 24), -24, 56)],
    [
      'main',
      box(-14, -86, 28, 172, 14),
      box(-62, -40, 20, 58, 10),
      box(-62, -2, 56, 20, 10),
      box(42, -58, 20, 54, 10),
      box(8, -22, 54, 20, 10),
    ],
    ['shade', box(0, -86, 5, 172, 2.5), box(-8, -70, 3, 150, 1.5)],
    ['pop', box(-92, 82, 184, 8, 4)],
  ],
  (r) => [
    ['pop', circle(r.range(20, 44), -44, 26)],
    ['main', flat(-98, 70, -30, -58, 40, 70)],
    ['shade', flat(-30, -58, 40, 70, -6, 70)],
    ['main', flat(6, 70, 56, -20, 99, 70)],
    ['shade', flat(56, -20, 99, 70, 70, 70)],
    ['second', box(-98, 74, 197, 6), box(-80, 84, 160, 4)],
  ],
  (r) => {
    const up = r.range(-8, 8)
    return [
      ['second', arch(-70, -96, 140, 190)],
      ['pop', circle(14, -38, 26)],
      ['main', `M-70 ${20 + up}C-30 -30 0 -14 22 12C40 34 60 30 70 22L70 94L-70 94Z`],
      [
        'shade',
        `M-8 -8C10 4 16 34 -6 60C-16 74 -30 84 -34 94L70 94L70 22C60 30 40 34 22 12C12 0 2 -6 -8 -8Z`,
      ],
      ['main', 'M-70 64C-40 50 -10 62 20 74C44 82 60 76 70 70L70 94L-70 94Z'],
    ]
  },
]

const road: Emblem[] = [
  () => [
    ['second', circle(0, 0, 94)],
    ['pop', sector(0, -14, 38, 180, 360)],
    ['main', slice(0, 0, 94, -14, 94)],
    ['shade', poly([[-5, -14], [5, -14], ...arcPoints(0, 0, 94, 56, 124)])],
    [
      'pop',
      ...times(5, (i) => {
        const y = -6 + i * i * 4.4 + i * 4
        const w = 1 + i * 1.1
        return flat(-w, y, w, y, w * 1.35, y + 6 + i * 4.4, -w * 1.35, y + 6 + i * 4.4)
      }),
    ],
  ],
  (r) => {
    const s = r.pick([-1, 1])
    const left = 'M-70 94C-60 60 60 56 52 26C46 2 -40 6 -36 -20C-33 -40 8 -40 4 -62'
    return [
      ['second', circle(40 * s, -62, 24)],
      [
        'main',
        map(`${left}L10 -62C22 -40 -10 -34 -12 -20C-14 -4 92 -12 96 26C99 62 22 66 24 94Z`, (x, y) => [
          x * s,
          y,
        ]),
      ],
      [
        'pop',
        ...times(7, (i) => {
          const t = i / 6
          return map(
            circle([-24, 6, 46, 70, 40, -14, -20][i]!, [84, 66, 52, 28, 6, -8, -26][i]!, 5 - t * 3),
            (x, y) => [x * s, y],
          )
        }),
      ],
    ]
  },
  (r) => {
    const poles = times(5, (i) => {
      const t = (i / 4) ** 1.7
      return { x: 12 + t * 78, top: -30 - t * 66, y: -14 + t * 84, w: 1.4 + t * 4.4 }
    })
    return [
      ['pop', circle(r.range(-20, 20), -34, 34)],
      ['shade', box(-98, -15, 196, 5)],
      ['main', flat(-6, -14, 6, -14, 74, 98, -74, 98)],
      [
        'second',
        ...poles.flatMap(({ x, top, y, w }) =>
          [1, -1].flatMap((k) => [
            box(x * k - w / 2, top, w, y - top),
            box(x * k - w * 3, top + w * 2, w * 6, w * 0.9),
          ]),
        ),
      ],
      [
        'ground',
        ...times(5, (i) => {
          const y = -6 + i * i * 4.2 + i * 4
          const w = 1 + i * 1.1
          return flat(-w, y, w, y, w * 1.35, y + 6 + i * 4, -w * 1.35, y + 6 + i * 4)
        }),
      ],
    ]
  },
]

export const land = { mountain, sea, city, forest, desert, house, road, door, tower }
