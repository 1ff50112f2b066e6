import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'
import { isHeavy } from './header.ts'
import type { Resized } from './pictures.ts'

/** A decoder can take more than a hundred megabytes; a large picture takes both. Networks take turns. */
const decodersMax = 2
const waitMaxMs = 10_000
const withDecoder = openConcurrencyLimit({ concurrency: decodersMax, waitMaxMs })

/** `isAlone`: no other picture is decoded beside it. Throws SERVICE_UNAVAILABLE after ten seconds of waiting. */
export function decodeInTurn(
  bytes: Buffer,
  owners: readonly string[],
  decode: (isAlone: boolean) => Promise<Resized>,
): Promise<Resized> {
  const isAlone = isHeavy(bytes)
  return withDecoder(() => decode(isAlone), owners, isAlone ? decodersMax : 1)
}
