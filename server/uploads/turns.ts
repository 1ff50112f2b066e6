import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'
import { isHeavy } from './header.ts'
import type { Resized } from './pictures.ts'

/** Concurrent decoders. One can take more than a hundred megabytes; a large picture takes both slots. Networks take turns. */
const decodersMax = 2
const waitMaxMs = 10_000
const withDecoder = openConcurrencyLimit({ concurrency: decodersMax, waitMaxMs })

/**
 * Decodes a picture when the owners have their turn. `isAlone` says that it is large, so that no other is decoded beside it. Throws
 * SERVICE_UNAVAILABLE after ten seconds of waiting.
 */
export function decodeInTurn(
  bytes: Buffer,
  owners: readonly string[],
  decode: (isAlone: boolean) => Promise<Resized>,
): Promise<Resized> {
  const isAlone = isHeavy(bytes)
  return withDecoder(() => decode(isAlone), owners, isAlone ? decodersMax : 1)
}
