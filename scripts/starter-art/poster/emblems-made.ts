import type { Emblem, Part } from './emblem.ts'
import { bar, box, circle, flat, map, move, poly, ring, thick, times, turn } from './path.ts'
import type { Shape } from './path.ts'

const mirror = (d: Shape) => map(d, (x, y) => [-x, y])

const both = (...d: Shape[]) => [...d, ...d.map(mirror)]

const apply = (parts: Part[], change: (d: Shape) => Shape): Part[] =>
  parts.map(([role, ...d]) => [role, ...d.map(change)] as const)

const sword = (w: number): Part[] => [
  ['main', flat(-w, 36, -w, -78, 0, -99, w, -78, w, 36)],
  ['shade', flat(0, -99, w, -78, w, 36, 0, 36)],
  ['second', flat(-46, 34, 46, 34, 38, 48, -38, 48), circle(-46, 41, 8), circle(46, 41, 8)],
  ['pop', box(-6, 48, 12, 34)],
  ['second', circle(0, 88, 11)],
]

const blade: Emblem[] = [
  (r) => sword(r.range(11, 16)),
  () => [...apply(sword(9), (d) => turn(d, 45)), ...apply(sword(9), (d) => turn(d, -45))],
  () =>
    [
      ['main', 'M-10 22C-16 -20 -4 -70 44 -99C40 -60 34 -18 16 22Z'],
      ['shade', 'M44 -99C40 -60 34 -18 16 22L6 22C16 -20 26 -60 44 -99Z'],
      ['pop', box(-24, 20, 52, 9, 4)],
      ['second', flat(-10, 29, 14, 29, 8, 96, -14, 96)],
      ['ground', ...times(4, (i) => turn(box(-8, 38 + i * 14, 16, 4), -20, 0, 40 + i * 14))],
    ].map(([role, ...d]) => [role, ...d.map((s) => turn(s as Shape, 8))] as unknown as Part),
  () =>
    times(5, (i): Part[] => {
      const a = (i - 2) * 26
      return apply(
        [
          ['main', flat(-8, 60, 0, -94, 8, 60)],
          ['shade', flat(0, -94, 8, 60, 0, 60)],
          ['pop', box(-13, 60, 26, 7), box(-3.5, 66, 7, 30)],
        ],
        (d) =>
          turn(
            map(d, (x, y) => [x * 0.92, y * 0.82 - 16]),
            a * 0.85,
            0,
            90,
          ),
      )
    }).flat(),
]

const crown: Emblem[] = [
  (r) => {
    const tall = r.range(-58, -46)
    return [
      ['main', flat(-86, 52, -96, -28, -46, 10, 0, tall, 46, 10, 96, -28, 86, 52)],
      ['shade', flat(0, tall, 46, 10, 96, -28, 86, 52, 0, 52)],
      ['pop', circle(-96, -36, 11), circle(0, tall - 12, 14), circle(96, -36, 11)],
      ['second', box(-88, 58, 176, 20)],
      ['ground', ...times(5, (i) => turn(box(-62 + i * 31 - 5, 63, 10, 10), 45, -62 + i * 31, 68))],
    ]
  },
  () => [
    ['second', ...times(5, (i) => circle(-72 + i * 36, -52 + Math.abs(i - 2) * 8, 9))],
    [
      'main',
      poly(
        times(5, (i) => {
          const x = -72 + i * 36
          const y = -40 + Math.abs(i - 2) * 8
          return [
            [x - 18, 26],
            [x, y],
            [x + 18, 26],
          ] as const
        })
          .flat()
          .concat([
            [90, 72],
            [-90, 72],
          ] as never),
      ),
    ],
    ['shade', box(-90, 34, 180, 7)],
    [
      'pop',
      ...times(5, (i) =>
        i % 2 ? circle(-60 + i * 30, 56, 8) : turn(box(-60 + i * 30 - 7, 49, 14, 14), 45, -60 + i * 30, 56),
      ),
    ],
  ],
  () => [
    ['second', 'M-70 34C-96 -40 -30 -66 0 -34C30 -66 96 -40 70 34Z'],
    [
      'main',
      'M-12 34C-30 -6 -20 -34 0 -46C20 -34 30 -6 12 34Z',
      ...both('M48 34C62 2 58 -26 30 -34C70 -44 96 -8 74 34Z'),
    ],
    ['pop', circle(0, -58, 13), box(-3.5, -96, 7, 30), box(-13, -87, 26, 7)],
    ['main', box(-80, 34, 160, 14, 3), box(-80, 66, 160, 12, 3)],
    ['shade', box(-76, 48, 152, 18)],
    ['pop', ...times(5, (i) => circle(-56 + i * 28, 57, 6))],
  ],
]

const key: Emblem[] = [
  (r) => {
    const teeth = r.int(2, 3)
    return [
      ['main', ring(0, -56, 42, 23), box(-8, -18, 16, 114)],
      ['main', ...times(teeth, (i) => box(6, 84 - i * 22, 26 - (i % 2) * 8, 12))],
      ['pop', circle(0, -56, 10), box(-15, -16, 30, 8), box(-12, -3, 24, 5)],
      ['shade', box(2, -18, 6, 114)],
    ]
  },
  () => [
    ['main', ring(0, -74, 25, 12), ring(-27, -44, 25, 12), ring(27, -44, 25, 12), box(-7, -34, 14, 132)],
    ['second', circle(0, -48, 12)],
    ['pop', circle(0, -48, 6)],
    ['main', box(4, 62, 34, 12), box(4, 82, 26, 14), box(28, 54, 10, 26)],
    ['shade', box(-16, -16, 32, 6), box(-12, -6, 24, 4)],
  ],
  () => [
    [
      'main',
      'M0 -98C54 -98 78 -60 72 -14C66 32 74 60 72 98L-72 98C-74 60 -66 32 -72 -14C-78 -60 -54 -98 0 -98Z',
    ],
    ['second', ...both(circle(52, 82, 5)), circle(0, -84, 5)],
    ['ground', circle(0, -18, 28), flat(-10, -4, 10, -4, 24, 66, -24, 66)],
    ['pop', circle(0, -18, 15), flat(-5, -8, 5, -8, 12, 56, -12, 56)],
  ],
]

const pip = (suit: number, x: number, y: number, s: number): Shape[] => {
  if (suit === 0)
    return [
      move(
        map(
          'M0 92C-22 66 -94 22 -94 -30C-94 -66 -68 -84 -46 -84C-22 -84 -6 -68 0 -50C6 -68 22 -84 46 -84C68 -84 94 -66 94 -30C94 22 22 66 0 92Z',
          (a, b) => [(a * s) / 100, (b * s) / 100],
        ),
        x,
        y,
      ),
    ]
  if (suit === 1) return [flat(x, y - s, x + s * 0.72, y, x, y + s, x - s * 0.72, y)]
  if (suit === 2)
    return [
      circle(x, y - s * 0.48, s * 0.46),
      circle(x - s * 0.48, y + s * 0.24, s * 0.46),
      circle(x + s * 0.48, y + s * 0.24, s * 0.46),
      flat(x, y, x + s * 0.3, y + s, x - s * 0.3, y + s),
    ]
  return [
    move(
      map(
        'M0 -96C24 -64 88 -28 88 22C88 62 34 72 10 40C12 64 18 80 32 96L-32 96C-18 80 -12 64 -10 40C-34 72 -88 62 -88 22C-88 -28 -24 -64 0 -96Z',
        (a, b) => [(a * s) / 100, (b * s) / 100],
      ),
      x,
      y,
    ),
  ]
}

const cards: Emblem[] = [
  (r) => {
    const suits = r.shuffle([0, 1, 2, 3])
    return times(4, (i): Part[] => {
      const a = (i - 1.5) * 22
      return apply(
        [
          ['ground', box(-39, -93, 78, 124, 9)],
          [i === 3 ? 'main' : i % 2 ? 'main' : 'second', box(-36, -90, 72, 118, 7)],
          [i === 3 ? 'pop' : 'ground', ...pip(suits[i]!, -20, -70, 11)],
          [i === 3 ? 'pop' : 'ground', ...(i === 3 ? pip(suits[i]!, 0, -28, 26) : [])],
        ] as Part[],
        (d) => turn(d, a, 0, 92),
      )
    })
      .flat()
      .filter((part) => part.length > 1)
  },
  (r) => {
    const s = r.int(0, 3)
    return [
      ['main', box(-66, -96, 132, 192, 14)],
      ['ground', box(-58, -88, 116, 176, 9) + box(-54, -84, 108, 168, 7)],
      ['pop', ...pip(s, 0, 0, 44)],
      ['second', ...pip(s, -38, -64, 13), ...pip(s, 38, 64, 13).map((d) => turn(d, 180, 38, 64))],
    ]
  },
  (r) => {
    const suits = r.shuffle([0, 1, 2, 3])
    return (
      [
        [-48, -44],
        [48, -44],
        [-48, 52],
        [48, 52],
      ] as const
    ).flatMap(([x, y], i): Part[] => [
      [i === 0 || i === 3 ? 'main' : 'second', box(x - 44, y - 50, 88, 92, 4)],
      [i === 0 || i === 3 ? 'pop' : 'ground', ...pip(suits[i]!, x, y - 4, 30)],
    ])
  },
]

const train: Emblem[] = [
  () => [
    ['main', 'M-62 84L-62 -44C-62 -82 -34 -98 0 -98C34 -98 62 -82 62 -44L62 84Z'],
    ['shade', 'M0 -98C34 -98 62 -82 62 -44L62 84L0 84Z'],
    ['ground', flat(-48, -46, -5, -54, -5, -8, -48, -6), flat(48, -46, 5, -54, 5, -8, 48, -6)],
    ['second', box(-62, 16, 124, 12), flat(-14, -98, 14, -98, 5, -60, -5, -60)],
    ['pop', circle(0, 50, 17), circle(-42, 50, 8), circle(42, 50, 8)],
    ['main', flat(-72, 84, 72, 84, 96, 99, -96, 99)],
  ],
  () => [
    ['second', circle(-72, -72, 20), circle(-38, -84, 15), circle(-10, -78, 11), circle(12, -68, 8)],
    [
      'main',
      box(-66, -14, 112, 46, 6),
      box(-84, -44, 48, 78, 4),
      flat(14, -14, 10, -48, 40, -48, 36, -14),
      box(-92, -52, 64, 9, 3),
    ],
    ['shade', box(-20, -14, 6, 46), box(6, -14, 6, 46), flat(46, 24, 90, 66, 46, 66)],
    ['pop', box(-72, -32, 24, 24, 3), circle(50, 8, 9)],
    ['main', box(-84, 30, 136, 14)],
    ['second', circle(-58, 56, 23), circle(-8, 56, 23), circle(32, 62, 17)],
    ['ground', circle(-58, 56, 9), circle(-8, 56, 9), circle(32, 62, 6)],
    ['main', bar(-58, 56, -8, 56, 6), box(-98, 80, 196, 6)],
  ],
  (r) => {
    const sleepers = r.int(7, 8)
    return [
      ['pop', circle(0, -52, 40)],
      [
        'shade',
        ...times(sleepers, (i) => {
          const t = (i / (sleepers - 1)) ** 1.8
          const w = 10 + t * 78
          const h = 2.5 + t * 8
          const y = -50 + t * 136
          return flat(-w, y, w, y, w * 1.04, y + h, -w * 1.04, y + h)
        }),
      ],
      ['main', flat(-3, -56, -0.6, -56, -56, 98, -72, 98), flat(3, -56, 0.6, -56, 56, 98, 72, 98)],
      ['second', box(-98, -58, 196, 5)],
    ]
  },
]

const ship: Emblem[] = [
  (r) => {
    const s = r.pick([-1, 1])
    return apply(
      [
        ['second', box(-2.5, -98, 5, 144)],
        ['main', 'M6 -88C52 -60 70 -14 74 26L6 26Z'],
        ['shade', 'M-6 -70C-34 -46 -54 -10 -60 26L-6 26Z'],
        ['pop', flat(0, -98, -26, -90, 0, -82)],
        ['main', 'M-84 38L88 38C76 66 54 78 30 78L-40 78C-62 74 -78 58 -84 38Z'],
        [
          'second',
          ...times(2, (i) =>
            thick(
              times(25, (k) => [-96 + k * 8, 84 + i * 11 + Math.sin(k / 1.6 + i * 2) * 3] as const),
              4.5,
            ),
          ),
        ],
      ],
      (d) => map(d, (x, y) => [x * s, y]),
    )
  },
  () => [
    ['second', flat(-24, -98, 24, -98, 18, -52, -18, -52)],
    ['main', flat(-46, -50, 46, -50, 62, -14, -62, -14)],
    ['pop', ...times(5, (i) => box(-38 + i * 16.6, -40, 9, 12))],
    ['main', 'M-86 -14L0 -24L86 -14C74 30 40 66 0 92C-40 66 -74 30 -86 -14Z'],
    ['shade', 'M0 -24L86 -14C74 30 40 66 0 92Z'],
    ['pop', circle(-28, 12, 5), circle(28, 12, 5)],
    ['second', flat(-98, 70, -30, 76, 0, 98, 30, 76, 98, 70, 60, 96, -60, 96)],
  ],
  (r) => {
    const lift = r.range(-6, 6)
    return [
      ['second', circle(40, -46, 36)],
      ['main', flat(-92, 20, -34, 20, 0, -70 + lift, 34, 20, 92, 20, 48, 70, -48, 70)],
      ['shade', flat(0, -70 + lift, 34, 20, 92, 20, 48, 70, 14, 70)],
      ['pop', flat(-92, 20, -34, 20, -10, 70, -48, 70)],
      ['second', box(-98, 74, 196, 5), box(-70, 85, 140, 5)],
    ]
  },
  () => [
    ['second', circle(-66, -84, 12), circle(-44, -78, 9), circle(-28, -70, 6)],
    ['main', flat(-98, 18, 98, 8, 74, 62, -80, 62)],
    ['shade', flat(-98, 18, 98, 8, 95, 18, -95, 27)],
    ['second', box(-64, -14, 112, 28), box(-44, -34, 74, 20)],
    ['pop', flat(-36, -34, -32, -66, -14, -66, -12, -34), flat(0, -34, 4, -66, 22, -66, 24, -34)],
    ['ground', ...times(6, (i) => circle(-50 + i * 17, 0, 4))],
    [
      'main',
      ...times(2, (k) =>
        thick(
          times(25, (i) => [-98 + i * 8.2, 74 + k * 13 + Math.sin(i / 1.5 + k * 2.2) * 3.4] as const),
          4.5,
        ),
      ),
    ],
  ],
]

export const made = { blade, crown, key, cards, train, ship }
