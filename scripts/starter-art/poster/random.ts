import { seeded as mulberry32 } from '../../testing/random.ts'

/** A seeded random stream: the same seed always gives the same choices. */
export type Random = {
  /** 0 inclusive to 1 exclusive. */
  next: () => number
  range: (low: number, high: number) => number
  /** An integer, both bounds inclusive. */
  int: (low: number, high: number) => number
  pick: <T>(list: readonly T[]) => T
  chance: (probability: number) => boolean
  shuffle: <T>(list: readonly T[]) => T[]
  /** Returns an independent stream for one purpose. It does not depend on how often the parent was used. */
  fork: (label: string) => Random
}

/** FNV-1a with a final mix, 32 bits. */
const hash = (text: string) => {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return (h ^ (h >>> 15)) >>> 0
}

/** Returns a stream seeded from the text. */
export const seeded = (seed: string): Random => {
  const next = mulberry32(hash(seed))
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    int,
    range: (low, high) => low + next() * (high - low),
    pick: (list) => {
      if (!list.length) throw new Error('nothing to pick from')
      return list[int(0, list.length - 1)]!
    },
    chance: (probability) => next() < probability,
    shuffle: (list) => {
      const out = [...list]
      for (let i = out.length - 1; i > 0; i--) {
        const j = int(0, i)
        ;[out[i], out[j]] = [out[j]!, out[i]!]
      }
      return out
    },
    fork: (label) => seeded(`${seed}/${label}`),
  }
}
