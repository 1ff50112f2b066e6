import { inject, test } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    runsVariations: boolean
  }
}

/**
 * A test whose feature other tests of the file cover: another input, an error, a rare state. `npm test` leaves it out unless the
 * command line names the file; `npm run test:full` runs it.
 */
export const variation = inject('runsVariations') ? test : test.skip
