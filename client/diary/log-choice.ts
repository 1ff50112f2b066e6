import { readStored, useStored, writeStored } from '#client/ui/stored.ts'

/**
 * Choices on this device: `log always` is the setting, `log last` the checkbox beside the stars. The value is the time at which a choice
 * was switched on.
 */
export type LogChoice = 'log always' | 'log last'

export function useLogChoice(choice: LogChoice): boolean {
  return useStored(choice) !== null
}

export function writeLogChoice(choice: LogChoice, isOn: boolean): void {
  writeStored(choice, isOn ? new Date().toISOString() : null)
}

/** Given that the choice has not been switched off since; `time` in ms. */
export function wasLogChoice(choice: LogChoice, time: number): boolean {
  const since = readStored(choice)
  // Formerly stored as “yes”, without a time.
  return since !== null && !(time < Date.parse(since))
}
