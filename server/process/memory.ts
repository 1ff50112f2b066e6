import { readFileSync } from 'node:fs'

/**
 * Returns the anonymous memory of a process in bytes: without mapped files, such as pages of the database, which the system can reclaim.
 * Only on Linux. Throws if the process has exited.
 */
export function anonymousBytesOf(pid: number | 'self'): number {
  return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1_024
}
