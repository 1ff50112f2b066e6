import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Returns the bytes of all buffers of this process that are in use, without garbage that is not collected yet. */
export function bufferedBytes(): number {
  collect()
  return process.memoryUsage().arrayBuffers
}
