import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'

/** argon2id (the library's default) with the first choice of OWASP's password storage cheat sheet: 19 MiB, two passes. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hash of a password that nobody knows. Compared where there is no account, so that the time tells nothing. */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$pD6WSM9j4PSPVPm499yQew$pdnzJQrUzboFLPZLge5h7rku6BpYOGg3T084iJIzs1k'

/** Throws SERVICE_UNAVAILABLE where too many wait already. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, parameters))
}

/** Takes as long for no hash, or one that no password has, as for a real one. Throws as `hashPassword` does. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const isReal = passwordHash?.startsWith('$argon2') === true
  return (await inTurn(() => verify(isReal ? passwordHash : dummyHash, password))) && isReal
}

// A hash takes 50 ms of one of the four threads that also read files, and 19 MiB. One core is left to all else.
const inTurn = openConcurrencyLimit({
  concurrency: Math.max(1, Math.min(2, availableParallelism() - 1)),
  queueMax: 100,
  waitMaxMs: 20_000,
})
