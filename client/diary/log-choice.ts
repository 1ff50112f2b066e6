import { readStored, useStored, writeStored } from '#client/ui/stored.ts'

/**
 * Whether a rating is logged in the diary too, on this device: `log always` is the setting, `log last` the last state of the checkbox beside
 * the stars. Both are off at first. Stored is when a choice was switched on.
 */
export type LogChoice = 'log always' | 'log last'

export function useLogChoice(choice: LogChoice): boolean {
  return useStored(choice) !== null
}

export function writeLogChoice(choice: LogChoice, isOn: boolean): void {
  writeStored(choice, isOn ? new Date().toISOString() : null)
}

/** Returns whether a choice was on at a time, in ms, given that it has not been switched off since. */
export function wasLogChoice(choice: LogChoice, time: number): boolean {
  const since = readStored(choice)
  // It was stored as “yes”, without a time.
  return since !== null && !(time < Date.parse(since))
}
