import type { Emblem, Part } from './emblem.ts'
import { clock, eye, wheel } from './emblems-dial.ts'
import { bar, box, circle, flat, lens, map, polar, poly, sector, slice, thick, times, turn } from './path.ts'
import type { Point, Shape } from './path.ts'
import type { Random } from './random.ts'

const spiralPoints = (turns: number, outer: number, inner = 2, start = 0): Point[] => {
  const steps = Math.ceil(turns * 28)
  return times(steps + 1, (i) =>
    polar(0, 0, inner + ((outer - inner) * i) / steps, start + (i / steps) * turns * 360),
  )
}

const spiral: Emblem[] = [
  (r) => {
    const turns = r.range(3, 4.4)
    return [
      ['main', thick(spiralPoints(turns, 90), 5, 18)],
      ['pop', circle(0, 0, 9)],
    ]
  },
  (r) => {
    const arms = r.pick([6, 8, 10])
    const side = r.pick([-1, 1])
    const arm = (from: number, to: number) => {
      const edge = (deg: number) =>
        times(15, (i) => polar(0, 0, 4 + (i / 14) * 92, deg + side * Math.sqrt(i / 14) * 130))
      const a = edge(from)
      const b = edge(to).reverse()
      const rim = times(5, (i) => polar(0, 0, 96, from + side * 130 + ((to - from) * i) / 4))
      return poly([...a, ...rim, ...b])
    }
    const step = 360 / arms
    return [
      ['second', circle(0, 0, 96)],
      ['main', ...times(arms, (i) => arm(i * step, (i + 0.5) * step))],
      ['pop', circle(0, 0, 15)],
    ]
  },
  () => {
    const points: Point[] = [[0, 0]]
    let [x, y] = [0, 0]
    for (let i = 0; i < 13; i++) {
      const long = (Math.floor(i / 2) + 1) * 26
      x += [1, 0, -1, 0][i % 4]! * long
      y += [0, 1, 0, -1][i % 4]! * long
      points.push([x, y])
    }
    const legs = points
      .slice(1)
      .map(([bx, by], i) => {
        const [ax, ay] = points[i]!
        return box(Math.min(ax, bx) - 7, Math.min(ay, by) - 7, Math.abs(ax - bx) + 14, Math.abs(ay - by) + 14)
      })
      .map((d) => map(d, (px, py) => [px - 12, py - 14]))
    return [
      ['main', ...legs.slice(3)],
      ['pop', ...legs.slice(0, 3)],
    ]
  },
  () => [
    ...times(9, (i): Part => [
      (['main', 'second', 'main', 'pop'] as const)[i % 4]!,
      circle(0, i * 5.2, 96 - i * 10.6),
    ]),
  ],
]

const grid: Emblem[] = [
  (r) => {
    const [fx, fy] = [r.int(0, 4), r.int(0, 4)]
    return [
      [
        'main',
        ...times(25, (i) => {
          const [c, f] = [i % 5, Math.floor(i / 5)]
          const s = 36 - Math.hypot(c - fx, f - fy) * 4.6
          return c === fx && f === fy ? '' : box(-76 + c * 38 - s / 2, -76 + f * 38 - s / 2, s, s)
        }).filter(Boolean),
      ],
      ['pop', box(-76 + fx * 38 - 18, -76 + fy * 38 - 18, 36, 36)],
    ]
  },
  () => {
    const lines = 9
    const bulge = (x: number, y: number): Point => {
      const d = Math.hypot(x, y)
      const k = d < 92 ? Math.sin((d / 92) * (Math.PI / 2)) * 92 : d
      return d ? [(x / d) * k, (y / d) * k] : [0, 0]
    }
    const step = 184 / lines
    return [
      ['second', circle(0, 0, 96)],
      [
        'main',
        ...times(lines * lines, (i) => {
          const [c, f] = [i % lines, Math.floor(i / lines)]
          if ((c + f) % 2) return ''
          const x = -92 + c * step
          const y = -92 + f * step
          const corners: Point[] = [
            [x, y],
            [x + step / 2, y],
            [x + step, y],
            [x + step, y + step / 2],
            [x + step, y + step],
            [x + step / 2, y + step],
            [x, y + step],
            [x, y + step / 2],
          ]
          if (corners.filter(([a, b]) => Math.hypot(a, b) > 92).length > 6) return ''
          return poly(
            corners.map(([a, b]) => {
              const d = Math.hypot(a, b)
              return d > 92 ? bulge((a / d) * 92, (b / d) * 92) : bulge(a, b)
            }),
          )
        }).filter(Boolean),
      ],
    ]
  },
  (r) =>
    times(16, (i): Part => {
      const x = -72 + (i % 4) * 48
      const y = -72 + Math.floor(i / 4) * 48
      const role = r.pick(['main', 'main', 'second', 'pop', 'shade'] as const)
      const q = r.int(0, 3)
      const d = r.pick([
        box(x - 22, y - 22, 44, 44),
        sector(
          ...(
            [
              [x - 22, y - 22],
              [x + 22, y - 22],
              [x + 22, y + 22],
              [x - 22, y + 22],
            ] as const
          )[q]!,
          44,
          q * 90,
          q * 90 + 90,
        ),
        circle(x, y, 22),
        turn(flat(x - 22, y - 22, x + 22, y - 22, x - 22, y + 22), q * 90, x, y),
      ])
      return [role, d]
    }),
]

const circles: Emblem[] = [
  (r) => {
    const rings = r.int(5, 7)
    return times(rings, (i): Part => [
      (['main', 'ground', 'second', 'ground', 'pop', 'ground', 'main'] as const)[i]!,
      circle(0, 0, 96 * (1 - i / (rings + 0.4))),
    ])
  },
  () => [
    ['main', circle(-30, -28, 62)],
    ['second', circle(30, -28, 62)],
    ['pop', circle(0, 28, 62)],
    ['shade', lens(0, -83, 0, 26.5, 32), lens(-61, 26, 32, -27, 30)],
    ['ground', circle(0, -10, 17)],
  ],
  (r) => {
    const offsets = [96, 76, 56, 36, 18]
    const a = r.range(20, 160)
    return offsets.map((s, i): Part => [
      (['main', 'second', 'pop', 'ground', 'main'] as const)[i]!,
      circle(...polar(0, 0, 96 - s, a), s),
    ])
  },
  (r) =>
    times(9, (i): Part[] => {
      const x = -66 + (i % 3) * 66
      const y = -66 + Math.floor(i / 3) * 66
      const q = r.int(0, 3) * 90
      return [
        ['main', circle(x, y, 31)],
        [(['second', 'pop', 'ground'] as const)[r.int(0, 2)]!, sector(x, y, 31, q, q + r.pick([90, 180]))],
      ]
    }).flat(),
]

const stripes: Emblem[] = [
  (r) => {
    const tilt = r.pick([-45, 45, -20])
    const cuts = [-94, -66, -56, -30, -20, 6, 16, 42, 52, 94]
    return times(5, (i): Part => [
      (['main', 'pop', 'main', 'second', 'main'] as const)[i]!,
      turn(slice(0, 0, 94, cuts[i * 2]!, cuts[i * 2 + 1]!), tilt),
    ])
  },
  (r) =>
    times(r.int(4, 5), (i): Part => {
      const y = 92 - i * 40
      return [
        (['main', 'second', 'pop', 'main', 'second'] as const)[i]!,
        flat(-92, y, 0, y - 62, 92, y, 92, y - 26, 0, y - 88, -92, y - 26),
      ]
    }),
  () =>
    times(7, (i): Part => {
      const a = 180 + (i * 180) / 7
      return [
        (['main', 'second', 'pop', 'main', 'second', 'pop', 'main'] as const)[i]!,
        sector(0, 64, 130, a + 3, a + 180 / 7 - 3, 20),
      ]
    }).map(([role, d]): Part => [role, map(d as Shape, (x, y) => [x * 0.74, y])]),
  () =>
    times(6, (i): Part => [
      (['main', 'second', 'pop'] as const)[i % 3]!,
      sector(-60, 84, 170 - i * 26, 270, 360, 152 - i * 26),
      box(-60 + 152 - i * 26, 84, 18, 14),
      box(-98, 84 - 170 + i * 26, 38, 18),
    ]),
]

/** A perfect maze by depth-first search: the walls to the right of and below each cell. */
export const mazeWalls = (columns: number, rows: number, r: Random) => {
  const right = new Set(times(columns * rows, (i) => i))
  const below = new Set(times(columns * rows, (i) => i))
  const seen = new Set([0])
  const stack = [0]
  while (stack.length) {
    const cell = stack.at(-1)!
    const [c, f] = [cell % columns, Math.floor(cell / columns)]
    const next = r
      .shuffle([
        ...(c > 0 ? [cell - 1] : []),
        ...(c < columns - 1 ? [cell + 1] : []),
        ...(f > 0 ? [cell - columns] : []),
        ...(f < rows - 1 ? [cell + columns] : []),
      ])
      .find((other) => !seen.has(other))
    if (next === undefined) {
      stack.pop()
      continue
    }
    seen.add(next)
    stack.push(next)
    if (Math.abs(next - cell) === 1) right.delete(Math.min(cell, next))
    else below.delete(Math.min(cell, next))
  }
  return { right, below }
}

const maze: Emblem[] = [
  (r) => {
    const rings = 5
    return [
      ...times(rings, (i): Part => {
        const s = 94 - i * 18
        const gap = r.range(0, 360)
        return [i % 2 ? 'second' : 'main', sector(0, 0, s, gap, gap + 342 - i * 6, s - 8)]
      }),
      [
        'main',
        ...times(6, (i) => {
          const s = 94 - (i % 4) * 18
          const a = r.range(0, 360)
          return bar(...polar(0, 0, s - 4, a), ...polar(0, 0, s - 22, a), 8)
        }),
      ],
      ['pop', circle(0, 0, 10)],
    ]
  },
  (r) => {
    const size = 7
    const step = 26
    const { right, below } = mazeWalls(size, size, r)
    const o = (-size * step) / 2
    const walls = times(size * size, (i) => {
      const [x, y] = [o + (i % size) * step, o + Math.floor(i / size) * step]
      return [
        right.has(i) ? box(x + step - 4, y - 4, 8, step + 8) : '',
        below.has(i) ? box(x - 4, y + step - 4, step + 8, 8) : '',
      ]
    })
      .flat()
      .filter(Boolean)
    return [
      ['main', box(o - 4, o - 4, 8, size * step - step + 8), box(o - 4, o - 4, size * step + 8, 8), ...walls],
      ['pop', box(-7, -7, 14, 14)],
    ]
  },
  () => [
    ...times(5, (i): Part => {
      const s = 94 - i * 19
      return [
        i % 2 ? 'second' : 'main',
        box(-s, -s, s * 2, s * 2) + box(-s + 8, -s + 8, s * 2 - 16, s * 2 - 16),
      ]
    }),
    [
      'ground',
      ...times(5, (i) => {
        const s = 94 - i * 19
        const o = [10, -30, 14, -6, 0][i]!
        return [
          box(o, -s - 1, 15, 10),
          box(s - 9, o, 10, 15),
          box(o, s - 9, 15, 10),
          box(-s - 1, o, 10, 13),
          box(-4, -s - 1, 8, 10),
        ][i]!
      }),
    ],
    ['pop', circle(0, 0, 7)],
  ],
]

export const form = { eye, spiral, grid, circles, stripes, maze, clock, wheel }
