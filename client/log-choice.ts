import { readStored, writeStored } from './ui/stored.ts'

/**
 * Whether a rating is logged in the diary too, on this device: `log always` is the setting, `log last` the last state of the checkbox beside
 * the stars. Both are off at first.
 */
export type LogChoice = 'log always' | 'log last'

export function readLogChoice(choice: LogChoice): boolean {
  return readStored(choice) !== null
}

/** Returns whether a choice was on at a time, in ms. It says nothing of times before it was last switched off. */
export function wasLogChoice(choice: LogChoice, time: number): boolean {
  const since = readStored(choice)
  // Choices were stored as “yes”, without a time.
  return since !== null && !(time < Date.parse(since))
}

export function writeLogChoice(choice: LogChoice, isOn: boolean): void {
  writeStored(choice, isOn ? new Date().toISOString() : null)
}
