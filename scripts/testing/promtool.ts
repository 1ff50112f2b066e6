import { spawnSync } from 'node:child_process'

/** Whether Debian’s package prometheus is installed. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** Returns what promtool criticizes in metrics; nothing if it is not installed. */
export function checkMetrics(text: string): string {
  if (!hasPromtool) return ''
  const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  return stdout + stderr
}
