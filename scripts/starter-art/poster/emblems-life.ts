import type { Emblem, Part } from './emblem.ts'
import {
  bar,
  box,
  circle,
  drop,
  ellipse,
  flat,
  grow,
  lens,
  map,
  move,
  polar,
  poly,
  ring,
  sector,
  thick,
  times,
  turn,
  arcPoints,
} from './path.ts'
import type { Shape } from './path.ts'

const mirror = (d: Shape) => map(d, (x, y) => [-x, y])

const both = (...d: Shape[]) => [...d, ...d.map(mirror)]

const heartShape =
  'M0 92C-22 66 -94 22 -94 -30C-94 -66 -68 -84 -46 -84C-22 -84 -6 -68 0 -50C6 -68 22 -84 46 -84C68 -84 94 -66 94 -30C94 22 22 66 0 92Z'

const heartHalf = 'M0 92L0 -50C6 -68 22 -84 46 -84C68 -84 94 -66 94 -30C94 22 22 66 0 92Z'

const heart: Emblem[] = [
  () => [
    ['main', heartShape],
    ['shade', heartHalf],
    ['pop', lens(-70, -42, -40, -66, 6, 4)],
  ],
  (r) => {
    const x = r.range(-6, 6)
    return [
      ['main', heartShape],
      [
        'ground',
        flat(
          x - 4,
          -70,
          x + 16,
          -34,
          x - 8,
          -12,
          x + 14,
          18,
          x - 10,
          44,
          x + 2,
          100,
          x + 4,
          100,
          x - 1,
          46,
          x + 24,
          18,
          x + 4,
          -10,
          x + 27,
          -34,
          x + 7,
          -70,
        ),
      ],
    ]
  },
  () =>
    times(5, (i): Part => [
      (['main', 'ground', 'second', 'ground', 'pop'] as const)[i]!,
      map(grow(heartShape, 1 - i * 0.2), (x, y) => [x, y - i * 1.5]),
    ]),
  () =>
    [
      ['main', turn(box(-45, -45, 90, 90), 45, 0, 0)].map((v) => v) as unknown as Part,
      ['second', circle(-32, -32, 45)],
      ['pop', circle(32, -32, 45)],
      ['shade', lens(0, -63, 0, 0, 13.5)],
    ].map(([role, ...d]) => [role, ...d.map((s) => move(grow(s as Shape, 1.18), 0, 10))] as unknown as Part),
]

const flameShape =
  'M6 -98C14 -62 70 -34 62 32C58 72 30 94 0 94C-34 94 -62 70 -62 30C-62 2 -42 -14 -36 -40C-24 -30 -20 -20 -20 -8C2 -26 12 -60 6 -98Z'

const flame: Emblem[] = [
  (r) => {
    const s = r.pick([-1, 1])
    const inner = (k: number): Shape =>
      map(flameShape, (x, y) => [x * k * s, 94 + (y - 94) * k - (1 - k) * 8])
    return [
      ['main', inner(1)],
      ['second', inner(0.7)],
      ['pop', inner(0.4)],
    ]
  },
  () => [
    ['second', ring(0, -46, 50, 47)],
    ['pop', drop(0, -38, 19, 52)],
    ['ground', drop(0, -32, 9, 22)],
    ['main', box(-24, 0, 48, 96, 4)],
    ['shade', box(4, 0, 20, 96, 4)],
    ['main', ellipse(-24, 14, 8, 18)],
    ['shade', bar(0, -16, 0, 4, 4)],
    ['second', box(-60, 90, 120, 8, 4)],
  ],
  () => [
    ...both(turn(lens(0, 94, 0, -34, 24), -38, 0, 94), turn(lens(0, 94, 0, -60, 22), -20, 0, 94)).map(
      (d, i): Part => [i % 2 ? 'second' : 'shade', d],
    ),
    ['main', lens(0, 94, 0, -98, 30)],
    ['pop', lens(0, 94, 0, -20, 16)],
    ['second', circle(-44, -66, 5), circle(52, -58, 4), circle(-66, -36, 3), circle(30, -92, 3.4)],
  ],
  () => [
    ['second', turn(box(-5, -20, 10, 124, 2), 24)],
    ['main', map(flameShape, (x, y) => [x * 0.66 + 14, y * 0.66 - 36])],
    ['pop', map(flameShape, (x, y) => [x * 0.36 + 12, y * 0.36 - 18])],
    ['shade', turn(ellipse(0, -18, 10, 15), 24)],
  ],
]

const blade_leaf = (x: number, y: number, long: number, deg: number, wide: number): [Shape, Shape] => {
  const [tx, ty] = polar(x, y, long, deg)
  return [lens(x, y, tx, ty, wide), lens(x, y, tx, ty, 0.01, wide)]
}

const leaf: Emblem[] = [
  () => {
    const veins = times(5, (i) =>
      both(bar(0, 60 - i * 28, 34 - i * 3.4 * (i > 2 ? 1.8 : 1), 34 - i * 28, 3.4, 2)),
    ).flat()
    return [
      ['main', lens(0, -98, 0, 78, 56)],
      ['shade', lens(0, -98, 0, 78, 0.01, 56)],
      ['ground', bar(0, -70, 0, 99, 2, 5), ...veins],
    ].map(([role, ...d]) => [role, ...d.map((s) => turn(s as Shape, 18))] as unknown as Part)
  },
  (r) => {
    const count = r.int(5, 6)
    const pairs = times(count, (i) => {
      const y = 66 - i * (124 / count)
      const long = 62 - Math.abs(i - 1.6) * 8
      return [blade_leaf(0, y, long, -38, 13), blade_leaf(0, y, long, -142, 13)] as const
    })
    return [
      ['second', bar(0, 99, 0, -66, 5, 3)],
      ['main', ...pairs.flatMap(([a, b]) => [a[0], b[0]]), lens(0, -54, 0, -99, 12)],
      ['shade', ...pairs.flatMap(([a, b]) => [a[1], b[1]])],
      ['pop', ...times(3, (i) => circle((i % 2 ? 1 : -1) * 16, 44 - i * 42, 5))],
    ]
  },
  () => {
    const fan = times(11, (i) => -160 + i * 14)
    return [
      [
        'main',
        poly([
          [0, 40],
          ...fan
            .flatMap((a, i) => [
              polar(0, 40, i === 5 ? 96 : 124 - Math.abs(5 - i) * 2, a),
              polar(0, 40, i === 4 || i === 5 ? 84 : 112, a + 7),
            ])
            .slice(0, -1),
        ]),
      ],
      [
        'ground',
        ...fan.slice(1, -1).map((a) => bar(...polar(0, 40, 30, a), ...polar(0, 40, 96, a), 1.2, 2.4)),
      ],
      [
        'second',
        thick(
          [
            [0, 40],
            [2, 64],
            [10, 98],
          ],
          6,
          5,
        ),
      ],
    ]
  },
  (r) => {
    const slots = times(5, (i) =>
      both(turn(lens(16, 0, 120, 0, 6.5 + (i % 2) * 2), [54, 30, 8, -14, -36][i]! + r.range(-4, 4))),
    ).flat()
    const body = 'M0 92C-40 84 -96 40 -88 -26C-82 -72 -34 -92 0 -58C34 -92 82 -72 88 -26C96 40 40 84 0 92Z'
    const right = 'M0 92L0 -58C34 -92 82 -72 88 -26C96 40 40 84 0 92Z'
    return (
      [
        ['main', body],
        ['shade', right],
        ['ground', ...slots.map((d) => move(d, 0, -6))],
        [
          'second',
          thick(
            [
              [0, 84],
              [0, -56],
              [-6, -78],
              [-18, -99],
            ],
            3,
            6,
          ),
        ],
      ] as Part[]
    ).map(([role, ...d]) => [role, ...d.map((q) => turn(q, -16))] as const)
  },
]

const bird: Emblem[] = [
  () => [
    ['main', sector(-8, -14, 60, 0, 180)],
    ['shade', sector(-68, -14, 60, 0, 90)],
    ['second', sector(-8, -14, 60, 180, 270)],
    ['main', sector(38, -34, 26, 90, 450)],
    ['pop', flat(62, -42, 96, -32, 62, -24)],
    ['ground', circle(44, -40, 6)],
    ['second', bar(-4, 44, -14, 96, 5), bar(14, 42, 4, 96, 5), flat(-68, -14, -98, 8, -98, -40)],
  ],
  (r) => {
    const up = r.range(-8, 10)
    const wing = (k: number, drop_: number) =>
      `M0 ${-6 + drop_}C30 ${-40 + up} 60 ${-60 + up} ${99 * k} ${-64 + up + drop_}C${88 * k} ${-30 + drop_} 60 ${6 + drop_} 0 ${34 + drop_}Z`
    return [
      ['second', ...both(wing(0.96, 16))],
      ['main', ...both(wing(1, 0))],
      ['shade', ...both('M0 6C30 -14 58 -30 86 -40C72 -12 40 12 0 32Z')],
      ['main', lens(0, -46, 0, 74, 17), flat(-24, 96, 0, 44, 24, 96, 0, 84)],
      ['pop', flat(-5, -40, 0, -58, 5, -40)],
    ]
  },
  () => [
    [
      'main',
      'M-98 -38C-60 -44 -26 -36 2 -12C20 -48 58 -74 98 -78C84 -40 62 -2 34 16C46 44 66 66 90 84C58 78 28 64 10 36C-14 44 -44 48 -66 72C-62 48 -52 30 -36 18C-58 4 -82 -14 -98 -38Z',
    ],
    ['pop', 'M-36 18C-20 8 0 8 10 36C-14 44 -44 48 -66 72C-62 48 -52 30 -36 18Z'],
    ['shade', 'M2 -12C20 -48 58 -74 98 -78C84 -40 62 -2 34 16C26 4 14 -4 2 -12Z'],
  ],
  (r) => {
    const gull = (x: number, y: number, s: number) =>
      `M${x - s} ${y - s * 0.28}C${x - s * 0.6} ${y - s * 0.62} ${x - s * 0.2} ${y - s * 0.3} ${x} ${y}C${x + s * 0.2} ${y - s * 0.3} ${x + s * 0.6} ${y - s * 0.62} ${x + s} ${y - s * 0.28}C${x + s * 0.6} ${y - s * 0.36} ${x + s * 0.24} ${y - s * 0.06} ${x} ${y + s * 0.24}C${x - s * 0.24} ${y - s * 0.06} ${x - s * 0.6} ${y - s * 0.36} ${x - s} ${y - s * 0.28}Z`
    return [
      ['second', circle(0, 0, 76)],
      [
        'main',
        gull(-10, 6, 58),
        gull(48, -46, 34),
        gull(-54, -54, 26),
        gull(r.range(40, 60), 44, 30),
        gull(-50, 62, 22),
      ],
    ]
  },
]

const mask: Emblem[] = [
  () => {
    const face = 'M-74 -78C-30 -96 30 -96 74 -78C84 -10 58 68 0 96C-58 68 -84 -10 -74 -78Z'
    return [
      ['main', face],
      ['shade', 'M0 -91.5C26 -91.5 52 -87 74 -78C84 -10 58 68 0 96Z'],
      ['ground', ...both(lens(18, -24, 56, -30, 13, 5)), lens(-26, 44, 26, 44, 10, 5)],
      ['pop', flat(-8, 12, 0, -34, 8, 12), circle(-46, 22, 8), circle(46, 22, 8)],
    ]
  },
  () => [
    [
      'main',
      'M0 -18C26 -44 66 -56 99 -66C98 -22 84 40 40 38C22 36 10 26 0 16C-10 26 -22 36 -40 38C-84 40 -98 -22 -99 -66C-66 -56 -26 -44 0 -18Z',
    ],
    ['shade', 'M0 -18C26 -44 66 -56 99 -66C98 -22 84 40 40 38C22 36 10 26 0 16Z'],
    ['ground', ...both(lens(18, -4, 64, -20, 14, 9))],
    ['pop', glowDrop(0), ...both(circle(84, -44, 4), circle(72, -2, 3.5))],
    [
      'second',
      ...times(5, (i) => bar(i * 14 - 28, 58 + (i % 2) * 8, i * 14 - 28, 92 - Math.abs(i - 2) * 8, 3)),
    ],
  ],
  () => [
    ['second', ...both(flat(14, -60, 64, -99, 74, -30))],
    ['main', flat(-78, -40, -40, -72, 40, -72, 78, -40, 54, 30, 0, 96, -54, 30)],
    ['shade', flat(0, -72, 40, -72, 78, -40, 54, 30, 0, 96)],
    ['ground', ...both(flat(16, -12, 58, -34, 46, 2, 22, 4))],
    ['pop', flat(-12, 50, 12, 50, 0, 96), ...both(flat(22, -54, 56, -42, 18, -30))],
  ],
  () => [
    ['main', box(-66, -90, 132, 180, 60)],
    ['shade', poly([[0, -90], ...arcPoints(6, -30, 60, -90, 0), ...arcPoints(6, 30, 60, 0, 90), [0, 90]])],
    ['ground', ...both(sector(30, -22, 20, 180, 360)), box(-26, 44, 52, 9)],
    ['pop', ...both(box(46, 4, 8, 44)), box(-6, -70, 12, 30), box(-5, -20, 10, 46)],
    ['second', ...both(box(14, -56, 38, 8))],
  ],
]

function glowDrop(x: number): Shape {
  return flat(x - 7, -26, x, -52, x + 7, -26, x, -10)
}

const boneShape = (long: number, w: number): Shape[] => [
  box(-long, -w / 2, long * 2, w),
  circle(-long, -w * 0.55, w * 0.72),
  circle(-long, w * 0.55, w * 0.72),
  circle(long, -w * 0.55, w * 0.72),
  circle(long, w * 0.55, w * 0.72),
]

const bones: Emblem[] = [
  () => [
    ['main', circle(0, -26, 70), box(-42, 20, 84, 66, 12)],
    ['shade', poly([...arcPoints(0, -26, 70, -62, 62), [42, 74], [30, 86], [24, 86], [30, 30]])],
    [
      'ground',
      circle(-28, -16, 21),
      circle(28, -16, 21),
      flat(0, 8, 11, 32, -11, 32),
      ...times(4, (i) => box(-25.5 + i * 16, 56, 3.6, 34)),
    ],
    ['pop', circle(-28, -16, 6), circle(28, -16, 6)],
  ],
  () => [
    ['second', circle(0, 0, 54)],
    ['shade', ...boneShape(74, 20).map((d) => turn(d, 45))],
    ['main', ...boneShape(74, 20).map((d) => turn(d, -45))],
  ],
  (r) => {
    const ribs = r.int(5, 6)
    return [
      ['second', ...times(9, (i) => box(-9, -92 + i * 21, 18, 15, 4))],
      ...times(ribs, (i): Part => {
        const y = -66 + i * 24
        const w = 84 - Math.abs(i - 2) * 9
        return [
          i % 2 ? 'shade' : 'main',
          ...both(
            `M9 ${y}C${w * 0.7} ${y - 14} ${w + 6} ${y + 8} ${w * 0.5} ${y + 36}C${w * 0.86} ${y + 12} ${w * 0.6} ${y + 2} 9 ${y + 10}Z`,
          ),
        ]
      }),
      ['pop', circle(-26, -6, 0.1)],
    ]
  },
  () =>
    [
      [
        'main',
        flat(-98, 0, -52, -34, -52, 34),
        ...times(7, (i) => bar(-40 + i * 17, -34 + i * 3.6, -34 + i * 17, 34 - i * 3.6, 6)),
        box(-54, -4, 130, 8),
        flat(70, 0, 98, -30, 90, 0, 98, 30),
      ],
      ['ground', circle(-68, -6, 6)],
    ].map(([role, ...d]) => [role, ...d.map((s) => turn(s as Shape, -35))] as unknown as Part),
]

export const life = { heart, flame, leaf, bird, mask, bones }
