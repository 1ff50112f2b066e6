import { registerHooks } from 'node:module'

/**
 * `node --import` this file, and the program hashes passwords with minimal cost: browser tests sign up many members, each of which
 * would take 100 ms of CPU time.
 */
const double = new URL('doubles/cheap-argon2.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@node-rs/argon2' && context.parentURL !== double
      ? { url: double, shortCircuit: true }
      : next(specifier, context),
})
