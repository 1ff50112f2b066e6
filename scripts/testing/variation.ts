import { inject, test } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    runsVariations: boolean
  }
}

/**
 * For another input, an error, a rare state of a feature that other tests of the file cover. `npm test` leaves it out unless the command
 * line names the file.
 */
export const variation = inject('runsVariations') ? test : test.skip
