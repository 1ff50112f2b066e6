import { registerHooks } from 'node:module'
import * as argon2 from '@node-rs/argon2'

/** For `node --import`: browser tests sign up many members, each of which would take 100 ms of CPU time. */
export const hash: typeof argon2.hash = (password) =>
  argon2.hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
export { verify } from '@node-rs/argon2'

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@node-rs/argon2' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
})
