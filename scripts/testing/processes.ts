import { readFileSync } from 'node:fs'
import { anonymousBytesOf, collectGarbage } from '#server/process/memory.ts'

// What /proc of Linux says about processes.

/** Returns the content of a file of /proc; an empty text if the process has exited. */
function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the fields of a process after its command, which may contain any character; the first is its state. */
const fieldsOf = (pid: number) => read(`${pid}/stat`).split(') ').at(-1)!.split(' ')

/** Whether a process runs; a zombie does not. */
export const isAlive = (pid: number): boolean => !['Z', 'X', ''].includes(fieldsOf(pid)[0]!)

/** Returns the ids of the processes that a process has started and that run. */
export function childrenOf(pid: number): number[] {
  return (read(`${pid}/task/${pid}/children`).match(/\d+/g) ?? []).map(Number)
}

/** Returns the CPU seconds that a process and all its descendants have used, those that have exited included. */
export function cpuOf(pid: number): number {
  const ticks = fieldsOf(pid).slice(11, 15).map(Number)
  // A tick is a hundredth of a second on every Linux that Node runs on.
  const own = ticks.reduce((sum, count) => sum + count, 0) / 100
  return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), own)
}

/** Returns the anonymous memory of a process in bytes, 0 if it has exited. */
export function bytesIfRunning(pid: number): number {
  try {
    return anonymousBytesOf(pid)
  } catch {
    return 0
  }
}

/** Returns the bytes of all buffers of this process that are in use, without garbage that is not collected yet. */
export function bufferedBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}
