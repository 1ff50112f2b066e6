/** The cost is in milliseconds of CPU time, for example. */
export type Costly = { input: Buffer; cost: number }

const keptMax = 6

/**
 * For some rounds, changes one of the costliest and keeps the result if it costs more. `tokens` mean something to the parser. Returns the
 * costliest first.
 */
export async function findCostly({
  seeds,
  tokens,
  bytesMax,
  rounds,
  random,
  costOf,
}: {
  seeds: readonly (string | Buffer)[]
  tokens: readonly string[]
  bytesMax: number
  rounds: number
  random: () => number
  costOf: (input: Buffer) => number | Promise<number>
}): Promise<Costly[]> {
  const below = (max: number) => Math.floor(random() * max)
  const pick = <T>(list: readonly T[]) => list[below(list.length)]!
  let kept: Costly[] = []
  const consider = async (given: string | Buffer) => {
    const input = Buffer.from(given).subarray(0, bytesMax)
    let cost = await costOf(input)
    const least = kept.length < keptMax ? 0 : kept.at(-1)!.cost
    // Other programs and garbage collection only ever add to a cost.
    if (cost > least) cost = Math.min(cost, await costOf(input))
    if (cost <= least) return
    kept = [...kept, { input, cost }].sort((a, b) => b.cost - a.cost).slice(0, keptMax)
  }
  for (const seed of seeds) await consider(repeatTo(seed, bytesMax))
  for (let round = 0; round < rounds; round++) {
    let { input } = pick(kept)
    for (let changes = 1 + below(3); changes > 0; changes--) input = changed(input)
    await consider(input)
  }
  return kept

  function changed(input: Buffer): Buffer {
    const at = below(input.length)
    const end = Math.min(input.length, at + 1 + below(2 ** below(14)))
    const part = input.subarray(at, end)
    const token = Buffer.from(pick(tokens))
    switch (below(6)) {
      case 0: // The part over and over.
        return Buffer.concat([input.subarray(0, at), repeatTo(part, bytesMax - at)])
      case 1: // A token in place of the part.
        return Buffer.concat([input.subarray(0, at), token, input.subarray(end)])
      case 2: // A token many times.
        return Buffer.concat([input.subarray(0, at), repeatTo(token, 2 ** below(17)), input.subarray(at)])
      case 3: // A token between the repetitions of the part.
        return Buffer.concat([input.subarray(0, at), repeatTo(Buffer.concat([part, token]), bytesMax - at)])
      case 4: // The part of another input.
        return Buffer.concat([input.subarray(0, at), pick(kept).input.subarray(at, end), input.subarray(end)])
      default: {
        const copy = Buffer.from(input)
        copy[at] = below(256)
        return copy
      }
    }
  }
}

export function repeatTo(unit: string | Buffer, length: number): Buffer {
  return unit.length === 0 || length <= 0 ? Buffer.alloc(0) : Buffer.alloc(length, unit)
}
