import { spawnSync } from 'node:child_process'

export const hasPromtool = spawnSync('promtool', ['--version']).status === 0

export function checkMetrics(text: string): string {
  if (!hasPromtool) return ''
  const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  return stdout + stderr
}
