import * as argon2 from '@node-rs/argon2'

/** For a program of its own, see cheap-passwords.ts. */
export const hash: typeof argon2.hash = (password) =>
  argon2.hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
export { verify } from '@node-rs/argon2'
