/**
 * Shapes as SVG path data with absolute M, L, C and Z only, so that transforms and point tests need little code. Angles are degrees, 0 to the right, clockwise. Holes use the even-odd rule.
 */
export type Shape = string
export type Point = readonly [number, number]

const n = (v: number) => {
  const s = v.toFixed(2)
  return s.includes('.') ? s.replace(/\.?0+$/, '') : s
}
const at = (x: number, y: number) => `${n(x)} ${n(y)}`
const rad = (deg: number) => (deg * Math.PI) / 180

/** Returns the point at this angle and distance from a centre. */
export const polar = (x: number, y: number, r: number, deg: number): Point => [
  x + r * Math.cos(rad(deg)),
  y + r * Math.sin(rad(deg)),
]

/** A closed polygon. */
export const poly = (points: readonly Point[]): Shape =>
  points.map(([x, y], i) => (i ? 'L' : 'M') + at(x, y)).join('') + 'Z'

/** A closed polygon from x, y, x, y … */
export const flat = (...xy: number[]): Shape =>
  poly(Array.from({ length: xy.length / 2 }, (_, i) => [xy[2 * i]!, xy[2 * i + 1]!] as const))

export const ellipse = (x: number, y: number, rx: number, ry: number): Shape => {
  const [kx, ky] = [rx * 0.5523, ry * 0.5523]
  return (
    `M${at(x - rx, y)}C${at(x - rx, y - ky)} ${at(x - kx, y - ry)} ${at(x, y - ry)}` +
    `C${at(x + kx, y - ry)} ${at(x + rx, y - ky)} ${at(x + rx, y)}` +
    `C${at(x + rx, y + ky)} ${at(x + kx, y + ry)} ${at(x, y + ry)}` +
    `C${at(x - kx, y + ry)} ${at(x - rx, y + ky)} ${at(x - rx, y)}Z`
  )
}
export const circle = (x: number, y: number, r: number): Shape => ellipse(x, y, r, r)
export const ring = (x: number, y: number, outer: number, inner: number): Shape =>
  circle(x, y, outer) + circle(x, y, inner)

export const box = (x: number, y: number, w: number, h: number, r = 0): Shape => {
  if (!r) return flat(x, y, x + w, y, x + w, y + h, x, y + h)
  const k = r * 0.4477
  return (
    `M${at(x + r, y)}L${at(x + w - r, y)}C${at(x + w - k, y)} ${at(x + w, y + k)} ${at(x + w, y + r)}` +
    `L${at(x + w, y + h - r)}C${at(x + w, y + h - k)} ${at(x + w - k, y + h)} ${at(x + w - r, y + h)}` +
    `L${at(x + r, y + h)}C${at(x + k, y + h)} ${at(x, y + h - k)} ${at(x, y + h - r)}` +
    `L${at(x, y + r)}C${at(x, y + k)} ${at(x + k, y)} ${at(x + r, y)}Z`
  )
}

/** Points along an arc, from one angle to another, both included. */
export const arcPoints = (x: number, y: number, r: number, from: number, to: number, ry = r): Point[] => {
  const steps = Math.max(2, Math.ceil(Math.abs(to - from) / 6))
  return Array.from({ length: steps + 1 }, (_, i) => {
    const a = rad(from + ((to - from) * i) / steps)
    return [x + r * Math.cos(a), y + ry * Math.sin(a)] as const
  })
}

/** A circular sector; with an inner radius, a segment of a ring. */
export const sector = (x: number, y: number, r: number, from: number, to: number, inner = 0): Shape =>
  poly([...arcPoints(x, y, r, from, to), ...(inner ? arcPoints(x, y, inner, to, from) : [[x, y] as const])])

/** The part of a disc between two heights. */
export const slice = (x: number, y: number, r: number, top: number, bottom: number): Shape => {
  const angle = (v: number) => (Math.asin(Math.min(1, Math.max(-1, (v - y) / r))) * 180) / Math.PI
  const [a, b] = [angle(top), angle(bottom)]
  return poly([...arcPoints(x, y, r, a, b), ...arcPoints(x, y, r, 180 - b, 180 - a)])
}

/** A regular star; with inner = outer·cos(180°/points) a regular polygon of twice the points. */
export const star = (x: number, y: number, points: number, outer: number, inner: number, turn = -90): Shape =>
  poly(
    Array.from({ length: points * 2 }, (_, i) =>
      polar(x, y, i % 2 ? inner : outer, turn + (i * 180) / points),
    ),
  )
export const ngon = (x: number, y: number, sides: number, r: number, turn = -90): Shape =>
  poly(Array.from({ length: sides }, (_, i) => polar(x, y, r, turn + (i * 360) / sides)))

/** A star of four or more points with concave sides, like a glint. */
export const glint = (x: number, y: number, r: number, points = 4, waist = 0.12, turn = -90): Shape => {
  let d = ''
  for (let i = 0; i < points; i++) {
    const tip = polar(x, y, r, turn + (i * 360) / points)
    const next = polar(x, y, r, turn + ((i + 1) * 360) / points)
    const dip = polar(x, y, r * waist, turn + ((i + 0.5) * 360) / points)
    d += (i ? '' : 'M' + at(...tip)) + `C${at(...dip)} ${at(...dip)} ${at(...next)}`
  }
  return d + 'Z'
}

/** A lens: two points connected by two arcs. The bulges are the heights of the arcs on the left and on the right. */
export const lens = (x0: number, y0: number, x1: number, y1: number, left: number, right = left): Shape => {
  const [dx, dy] = [x1 - x0, y1 - y0]
  const len = Math.hypot(dx, dy) || 1
  const [nx, ny] = [dy / len, -dx / len]
  const bow = (h: number, t: number) => at(x0 + dx * t + (nx * h * 4) / 3, y0 + dy * t + (ny * h * 4) / 3)
  return (
    `M${at(x0, y0)}C${bow(left, 0.28)} ${bow(left, 0.72)} ${at(x1, y1)}` +
    `C${bow(-right, 0.72)} ${bow(-right, 0.28)} ${at(x0, y0)}Z`
  )
}

/** A drop with the point at the top. */
export const drop = (x: number, y: number, r: number, height: number): Shape =>
  `M${at(x, y - height)}C${at(x + r * 0.35, y - height * 0.45)} ${at(x + r, y - r * 0.55)} ${at(x + r, y)}` +
  `C${at(x + r, y + r * 0.5523)} ${at(x + r * 0.5523, y + r)} ${at(x, y + r)}` +
  `C${at(x - r * 0.5523, y + r)} ${at(x - r, y + r * 0.5523)} ${at(x - r, y)}` +
  `C${at(x - r, y - r * 0.55)} ${at(x - r * 0.35, y - height * 0.45)} ${at(x, y - height)}Z`

/** A straight bar between two points. */
export const bar = (x0: number, y0: number, x1: number, y1: number, w: number, w1 = w): Shape =>
  thick(
    [
      [x0, y0],
      [x1, y1],
    ],
    w,
    w1,
  )

/** A line along the points, tapering from the first width to the second. */
export const thick = (points: readonly Point[], w: number, w1 = w): Shape => {
  const left: Point[] = []
  const right: Point[] = []
  points.forEach(([x, y], i) => {
    const [ax, ay] = points[Math.max(0, i - 1)]!
    const [bx, by] = points[Math.min(points.length - 1, i + 1)]!
    const len = Math.hypot(bx - ax, by - ay) || 1
    const half = (w + ((w1 - w) * i) / (points.length - 1)) / 2
    const [nx, ny] = [((by - ay) / len) * half, (-(bx - ax) / len) * half]
    left.push([x + nx, y + ny])
    right.unshift([x - nx, y - ny])
  })
  return poly([...left, ...right])
}

/** A smooth line through the points (Catmull-Rom), as path data that continues from the first. */
const through = (points: readonly Point[]) => {
  const p = (i: number): Point => points[Math.min(points.length - 1, Math.max(0, i))]!
  let d = ''
  for (let i = 0; i < points.length - 1; i++) {
    const [a, b, c, e] = [p(i - 1), p(i), p(i + 1), p(i + 2)]
    d +=
      `C${at(b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6)} ` +
      `${at(c[0] - (e[0] - b[0]) / 6, c[1] - (e[1] - b[1]) / 6)} ${at(c[0], c[1])}`
  }
  return d
}

/** The area between a smooth line and this y. */
export const under = (points: readonly Point[], bottom: number): Shape =>
  `M${at(points[0]![0], bottom)}L${at(...points[0]!)}${through(points)}` +
  `L${at(points.at(-1)![0], bottom)}Z`

/** Maps every pair of coordinates. */
export const map = (d: Shape, change: (x: number, y: number) => Point): Shape =>
  d.replace(/(-?[\d.]+)[ ,](-?[\d.]+)/g, (_, x: string, y: string) => at(...change(Number(x), Number(y))))
export const move = (d: Shape, dx: number, dy: number) => map(d, (x, y) => [x + dx, y + dy])
export const grow = (d: Shape, sx: number, sy = sx) => map(d, (x, y) => [x * sx, y * sy])
export const turn = (d: Shape, deg: number, cx = 0, cy = 0) => {
  const [c, s] = [Math.cos(rad(deg)), Math.sin(rad(deg))]
  return map(d, (x, y) => [cx + (x - cx) * c - (y - cy) * s, cy + (x - cx) * s + (y - cy) * c])
}

/** Maps the numbers 0 to count − 1. */
export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

/** Returns the shape as polygons, with each curve as eight segments. */
export const polygons = (d: Shape): Point[][] => {
  const out: Point[][] = []
  for (const [, letter, rest] of d.matchAll(/([MLCZ])([^MLCZ]*)/g)) {
    const v = rest!.trim().split(/[ ,]+/).map(Number)
    const last = out.at(-1)
    if (letter === 'M') out.push([[v[0]!, v[1]!]])
    else if (letter === 'L') last!.push([v[0]!, v[1]!])
    else if (letter === 'C') {
      const [x, y] = last!.at(-1)!
      for (let i = 1; i <= 8; i++) {
        const t = i / 8
        const u = 1 - t
        const on = (a: number, b: number, c: number, e: number) =>
          u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * e
        last!.push([on(x, v[0]!, v[2]!, v[4]!), on(y, v[1]!, v[3]!, v[5]!)])
      }
    }
  }
  return out
}

/** Returns whether the point is inside, by the even-odd rule. */
export const contains = (shape: readonly (readonly Point[])[], x: number, y: number) => {
  let inside = false
  for (const points of shape) {
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const [xi, yi] = points[i]!
      const [xj, yj] = points[j]!
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
    }
  }
  return inside
}
