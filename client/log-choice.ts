import { readStored, writeStored } from './ui/stored.ts'

/**
 * Whether a rating is logged in the diary too, on this device: `log always` is the setting, `log last` the last state of the checkbox beside
 * the stars. Both are off at first.
 */
export type LogChoice = 'log always' | 'log last'

export function readLogChoice(choice: LogChoice): boolean {
  return readStored(choice) !== null
}

export function writeLogChoice(choice: LogChoice, isOn: boolean): void {
  writeStored(choice, isOn ? 'yes' : null)
}
