import type { Emblem } from './emblem.ts'
import {
  arcPoints,
  bar,
  box,
  circle,
  drop,
  ellipse,
  flat,
  glint,
  lens,
  map,
  ngon,
  polar,
  poly,
  ring,
  sector,
  slice,
  star,
  thick,
  times,
  turn,
} from './path.ts'
import type { Point, Shape } from './path.ts'

/** A disc of radius r minus a disc of radius r2 whose centre is d to the right. */
const crescent = (r: number, r2: number, d: number): Shape => {
  const x = (r * r - r2 * r2 + d * d) / (2 * d)
  const outer = (Math.acos(x / r) * 180) / Math.PI
  const inner = (Math.acos((x - d) / r2) * 180) / Math.PI
  return poly([...arcPoints(0, 0, r, outer, 360 - outer), ...arcPoints(d, 0, r2, 360 - inner, inner)])
}

/** The lit part of a moon: -1 new, 0 half, 1 full. */
const phase = (x: number, y: number, r: number, lit: number): Shape =>
  poly(
    [...arcPoints(x, y, r, -90, 90), ...arcPoints(x, y, r * Math.abs(lit), 90, lit > 0 ? 270 : -90, r)].map(
      (p) => p,
    ),
  )

const sun: Emblem[] = [
  (r) => {
    const count = r.int(12, 20)
    const rays = times(count, (i) => {
      const a = (i * 360) / count - 90
      return poly([polar(0, 0, 98, a), polar(0, 0, 63, a + 130 / count), polar(0, 0, 63, a - 130 / count)])
    })
    return [
      ['second', ...rays],
      ['main', circle(0, 0, 52)],
      ['shade', sector(0, 0, 52, -45, 135)],
      ['pop', circle(0, 0, 22)],
    ]
  },
  (r) => {
    const bands = r.int(6, 8)
    let y = r.range(-20, 0)
    const cuts: Shape[] = [slice(0, 0, 94, -94, y)]
    for (let i = 0; i < bands; i++) {
      const gap = 4 + i * 1.6
      const height = ((94 - y) / (bands - i)) * 0.95 - gap
      if (height < 2 || y + gap > 92) break
      cuts.push(slice(0, 0, 94, y + gap, y + gap + height))
      y += gap + height
    }
    return [['main', ...cuts]]
  },
  (r) => {
    const count = r.pick([8, 10, 12])
    const petal = (a: number, long: number, wide: number) => turn(lens(44, 0, long, 0, wide), a)
    return [
      ['second', ...times(count, (i) => petal(((i + 0.5) * 360) / count, 82, 7))],
      ['main', ...times(count, (i) => petal((i * 360) / count, 99, 200 / count / 2))],
      ['main', circle(0, 0, 42)],
      ['ground', ring(0, 0, 36, 33)],
      ['pop', circle(0, 0, 25)],
    ]
  },
  (r) => {
    const count = r.int(7, 11)
    const step = 180 / count
    return [
      [
        'second',
        ...times(count, (i) =>
          sector(0, 30, 99, 180 + i * step + step * 0.22, 180 + (i + 1) * step - step * 0.22, 58),
        ),
      ],
      ['main', sector(0, 30, 50, 180, 360)],
      ['pop', sector(0, 30, 26, 180, 360)],
      ['main', ...times(4, (i) => box(-96 + i * 15, 38 + i * 13, 192 - i * 30, 6.5))],
    ]
  },
]

const moon: Emblem[] = [
  (r) => {
    const tilt = r.range(-35, -15)
    return [
      ['main', turn(crescent(90, 76, r.range(34, 44)), tilt)],
      ['pop', glint(42, -30, 30), glint(66, 22, 14), glint(24, 26, 9)],
    ]
  },
  (r) => {
    const spots = r.shuffle([
      [-30, -42, 20],
      [28, -20, 28],
      [-20, 26, 15],
      [38, 42, 17],
      [-58, -4, 11],
      [6, 62, 10],
      [4, -72, 9],
    ])
    return [
      ['main', circle(0, 0, 90)],
      ['shade', ...spots.slice(0, 6).map(([x, y, s]) => circle(x!, y!, s!))],
      ['main', ...spots.slice(0, 6).map(([x, y, s]) => circle(x! + s! * 0.2, y! + s! * 0.22, s! * 0.78))],
      ['second', crescent(90, 96, 34)],
    ]
  },
  () => [
    ...times(8, (i) => {
      const [x, y] = polar(0, 0, 80, i * 45 - 90)
      return ['second', circle(x, y, 18)] as const
    }),
    ...times(8, (i) => {
      const [x, y] = polar(0, 0, 80, i * 45 - 90)
      const lit = 1 - Math.abs(4 - i) / 2
      const d = Math.abs(lit) === 1 ? (lit > 0 ? circle(x, y, 18) : '') : phase(x, y, 18, lit)
      return ['pop', i > 4 ? turn(d, 180, x, y) : d] as const
    }).filter((part) => part[1]),
    ['main', circle(0, 0, 48)],
    ['shade', phase(0, 0, 48, 0)],
  ],
]

const stars: Emblem[] = [
  (r) => {
    const points = r.pick([5, 5, 6, 8])
    const inner = points === 5 ? 38 : points === 6 ? 44 : 36
    const facet = (side: number) =>
      times(points, (i) => {
        const a = -90 + (i * 360) / points
        return poly([[0, 0], polar(0, 0, 98, a), polar(0, 0, inner, a + (side * 180) / points)])
      })
    return [
      ['main', star(0, 0, points, 98, inner)],
      ['shade', ...facet(1)],
    ]
  },
  (r) => {
    const nodes: Point[] = times(
      7,
      (i) => [-84 + i * 28, (i % 2 ? -1 : 1) * r.range(8, 62) - 8 + i * 2] as const,
    )
    const extra = nodes[r.int(2, 4)]!
    const branch: Point = [extra[0] + r.range(-10, 20), extra[1] > 0 ? -88 : 88]
    return [
      [
        'second',
        ...nodes.slice(1).map((b, i) => bar(...nodes[i]!, ...b, 2.6)),
        bar(...extra, ...branch, 2.6),
      ],
      [
        'main',
        ...[...nodes, branch].map(([x, y], i) =>
          i % 3 === 1 ? glint(x, y, 24) : circle(x, y, i % 2 ? 7 : 5),
        ),
      ],
      ['pop', glint(...nodes[3]!, 40, 8, 0.1)],
    ]
  },
  (r) => [
    ['second', glint(0, 0, 70, 4, 0.1, -45)],
    ['main', glint(0, 0, 99, 4, 0.13)],
    ['pop', circle(0, 0, 13)],
    ['main', ...times(6, (i) => glint(...polar(0, 0, r.range(68, 84), i * 60 + 30), r.range(8, 20)))],
  ],
  () => {
    const trails = times(5, (i) => thick(arcPoints(-120, 150, 150 + i * 20, -78 + i, -42 - i * 2), 1, 13))
    return [
      ['second', ...trails.filter((_, i) => i % 2 === 0)],
      ['pop', ...trails.filter((_, i) => i % 2)],
      ['main', star(24, -18, 5, 66, 27, -70)],
    ]
  },
]

const planet: Emblem[] = [
  (r) => {
    const tilt = r.range(-28, -14)
    const half = (from: number, to: number) =>
      turn(poly([...arcPoints(0, 0, 100, from, to, 28), ...arcPoints(0, 0, 74, to, from, 16)]), tilt)
    return [
      ['second', half(180, 360)],
      ['main', circle(0, 0, 58)],
      ['shade', turn(phase(0, 0, 58, -0.35), 25)],
      ['second', half(0, 180)],
      ['pop', circle(66, -72, 9), circle(-78, 66, 5)],
    ]
  },
  (r) => {
    const cuts = [-86, -58, -44, -14, 4, 16, 44, 60, 86]
    const bands = times(8, (i) => turn(slice(0, 0, 86, cuts[i]!, cuts[i + 1]!), -12))
    const spot = turn(ellipse(r.range(-20, 30), 30, 22, 9), -12)
    return [
      ['main', circle(0, 0, 86)],
      ['shade', bands[1]!, bands[5]!],
      ['second', bands[3]!, bands[6]!],
      ['pop', spot],
      ['ground', circle(70, -66, 26)],
      ['pop', circle(70, -66, 19)],
    ]
  },
  (r) => {
    const radii = [36, 56, 76, 96]
    return [
      ['second', ...radii.map((s) => ring(0, 0, s, s - 2.6))],
      ['pop', circle(0, 0, 19)],
      ...radii.map((s, i) => {
        const [x, y] = polar(0, 0, s - 1.3, r.range(0, 360))
        return [i % 2 ? 'pop' : 'main', circle(x, y, [8, 12, 17, 10][i]!)] as const
      }),
      ['ground', ring(0, 0, 15, 12.5)],
    ]
  },
]

const rain: Emblem[] = [
  () => {
    const scallop = (x: number, w: number) => arcPoints(x, 4, w / 2, 360, 180, 9)
    const edge = [...scallop(69, 46), ...scallop(23, 46), ...scallop(-23, 46), ...scallop(-69, 46)]
    const rib = (x: number) =>
      poly([
        [0, -78],
        ...arcPoints(0, 4, Math.abs(x), 270, x > 0 ? 360 : 180, 82).slice(1, -1),
        [x, 4],
        [x * 0.5, -4],
      ])
    return [
      [
        'second',
        ...times(7, (i) => bar(-78 + i * 26, -98 + (i % 3) * 8, -86 + i * 26, -74 + (i % 3) * 8, 3.4)).filter(
          (_, i) => i !== 3,
        ),
      ],
      ['shade', bar(0, -88, 0, 70, 5), thick(arcPoints(15, 70, 15, 180, 0), 5.5)],
      ['main', poly([...arcPoints(0, 4, 92, 180, 360, 82), ...edge])],
      ['pop', poly([...arcPoints(0, 4, 23, 180, 360, 82), ...scallop(0, 46)])],
      ['shade', rib(92)],
    ]
  },
  () => [
    ['main', drop(0, 32, 62, 130)],
    ['second', drop(0, 42, 43, 88)],
    ['pop', drop(0, 50, 25, 50)],
  ],
  (r) => [
    ['main', circle(-42, -30, 34), circle(4, -52, 42), circle(48, -28, 32), box(-76, -32, 156, 36, 18)],
    [
      'second',
      ...times(6, (i) => {
        const x = -56 + i * 24
        const y = 18 + r.range(0, 12)
        return bar(x, y, x - 17, y + r.range(34, 62), 7)
      }),
    ],
    ['pop', circle(54, -62, 0.1)],
  ],
]

const snow: Emblem[] = [
  (r) => {
    const arms = times(r.int(3, 4), (i) => ({ at: 30 + i * r.range(17, 20), long: r.range(14, 30) }))
    const one = [
      bar(0, 0, 97, 0, 7),
      ...arms.flatMap((b) => [1, -1].map((s) => bar(b.at, 0, ...polar(b.at, 0, b.long, s * 58), 6))),
    ]
    return [
      ['main', ...times(6, (i) => one.map((d) => turn(d, i * 60 - 90))).flat()],
      ['pop', ngon(0, 0, 6, 17, 0)],
    ]
  },
  (r) => {
    const tip = r.range(17, 22)
    return [
      ['second', ...times(6, (i) => bar(0, 0, ...polar(0, 0, 78, i * 60 - 90), 7))],
      ['second', ...times(6, (i) => bar(0, 0, ...polar(0, 0, 60, i * 60 - 60), 4))],
      [
        'main',
        ...times(6, (i) => {
          const [x, y] = polar(0, 0, 78, i * 60 - 90)
          return ngon(x, y, 6, tip)
        }),
      ],
      ['main', ngon(0, 0, 6, 40)],
      ['ground', ngon(0, 0, 6, 31)],
      ['pop', ngon(0, 0, 6, 21)],
      [
        'pop',
        ...times(6, (i) => {
          const [x, y] = polar(0, 0, 60, i * 60 - 60)
          return ngon(x, y, 4, 10, i * 60 - 60)
        }),
      ],
    ]
  },
  () => {
    const petal = lens(8, 0, 96, 0, 17)
    const small = lens(30, 0, 82, 0, 9)
    return [
      ['main', ...times(6, (i) => turn(petal, i * 60 - 90))],
      ['second', ...times(6, (i) => turn(small, i * 60 - 60))],
      ['ground', ...times(6, (i) => turn(lens(34, 0, 84, 0, 6), i * 60 - 90))],
      ['pop', star(0, 0, 6, 16, 9)],
    ]
  },
]

const rocketParts = (): ReturnType<Emblem> => [
  ['second', flat(-24, 20, -52, 62, -48, 78, -20, 56), flat(24, 20, 52, 62, 48, 78, 20, 56)],
  ['main', lens(0, -98, 0, 70, 34)],
  ['shade', lens(0, -98, 0, 70, 0.01, 34)],
  ['ground', circle(0, -26, 16)],
  ['pop', circle(0, -26, 11)],
  ['pop', poly([...arcPoints(0, 62, 17, 180, 0, -8), [0, 99]])],
  ['second', flat(-4, 26, 4, 26, 4, 80, -4, 80)],
]

const rocket: Emblem[] = [
  () => rocketParts(),
  () => {
    const slim = rocketParts().map(
      ([role, ...d]) =>
        [
          role,
          ...d.map((s) =>
            turn(
              map(s, (x, y) => [x * 0.8, y * 0.78 - 14]),
              40,
            ),
          ),
        ] as const,
    )
    const trail = times(5, (i) =>
      turn(bar(-22 + i * 11, 66 + (i % 2) * 6, -22 + i * 11, 118 - Math.abs(i - 2) * 14, 6), 40),
    )
    return [['second', ...trail], ...slim]
  },
  () => [
    [
      'second',
      ...times(7, (i) => circle(-78 + i * 26, 86 - (i % 2) * 10, 20 - Math.abs(i - 3) * 2)),
      box(-90, 86, 180, 14),
    ],
    ['pop', flat(-14, 40, 14, 40, 24, 84, -24, 84)],
    ['second', flat(-18, 0, -46, 34, -46, 54, -18, 40), flat(18, 0, 46, 34, 46, 54, 18, 40)],
    ['main', box(-20, -46, 40, 88), lens(0, -99, 0, 7, 20)],
    ['shade', box(4, -46, 16, 88), lens(0, -99, 0, 7, 0.01, 20)],
    ['ground', box(-20, -32, 40, 4), box(-20, 12, 40, 4)],
    ['pop', circle(0, -12, 8)],
  ],
]

export const sky = { sun, moon, stars, planet, rain, snow, rocket }
