/** Mulberry32: the same seed gives the same numbers, 0 (inclusive) to 1 (exclusive). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Takes `count` of them without putting back, each as likely as its weight. */
export function pickWeighted<T>(
  random: () => number,
  from: readonly { value: T; weight: number }[],
  count: number,
): T[] {
  // Efraimidis and Spirakis: the largest of random^(1/weight) are such a sample.
  return from
    .filter(({ weight }) => weight > 0)
    .map(({ value, weight }) => ({ value, key: random() ** (1 / weight) }))
    .sort((a, b) => b.key - a.key)
    .slice(0, count)
    .map(({ value }) => value)
}
