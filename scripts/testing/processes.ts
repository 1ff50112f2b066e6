import { readFileSync } from 'node:fs'
import { anonymousBytesOf, collectGarbage } from '#server/process/memory.ts'

function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}

/** After the command, which may contain any character; the first field is the state. */
const fieldsOf = (pid: number) => read(`${pid}/stat`).split(') ').at(-1)!.split(' ')

/** A zombie does not run. */
export const isAlive = (pid: number): boolean => !['Z', 'X', ''].includes(fieldsOf(pid)[0]!)

export function childrenOf(pid: number): number[] {
  return (read(`${pid}/task/${pid}/children`).match(/\d+/g) ?? []).map(Number)
}

/** CPU seconds of a process and all its descendants, including exited ones. */
export function cpuOf(pid: number): number {
  const ticks = fieldsOf(pid).slice(11, 15).map(Number)
  // A tick is a hundredth of a second on every Linux that Node runs on.
  const own = ticks.reduce((sum, count) => sum + count, 0) / 100
  return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), own)
}

export function bytesIfRunning(pid: number): number {
  try {
    return anonymousBytesOf(pid)
  } catch {
    return 0
  }
}

/** Without garbage that is not collected yet. */
export function bufferedBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}
