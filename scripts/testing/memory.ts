import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { anonymousBytesOf } from '#server/process/memory.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Returns the bytes of all buffers of this process that are in use, without garbage that is not collected yet. */
export function bufferedBytes(): number {
  collect()
  return process.memoryUsage().arrayBuffers
}

/** Returns the ids of the processes that a process has started and that run. Only on Linux. */
export function childrenOf(pid: number): number[] {
  return (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number)
}

/** Returns the anonymous memory of a process in bytes, 0 if it has exited. Only on Linux. */
export function bytesIfRunning(pid: number): number {
  try {
    return anonymousBytesOf(pid)
  } catch {
    return 0
  }
}
