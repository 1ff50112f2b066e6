/**
 * Whether a rating is logged in the diary too, on this device: `log always` is the setting, `log last` the last state of the checkbox beside
 * the stars. Both are off at first.
 */
export type LogChoice = 'log always' | 'log last'

export function readLogChoice(choice: LogChoice): boolean {
  if (import.meta.env.SSR) return false
  try {
    return localStorage.getItem(choice) !== null
  } catch {
    return false
  }
}

export function writeLogChoice(choice: LogChoice, isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(choice, 'yes')
    else localStorage.removeItem(choice)
  } catch {
    // No access to storage: it stays off.
  }
}
