import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'

/** argon2id (the library's default) with parameters from OWASP's Password Storage Cheat Sheet: 19 MiB, two passes. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of a random password, verified instead of a missing one, so that the response time does not reveal whether an account exists. */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$pD6WSM9j4PSPVPm499yQew$pdnzJQrUzboFLPZLge5h7rku6BpYOGg3T084iJIzs1k'

/** Throws SERVICE_UNAVAILABLE if the queue is full, or the wait in it too long. */
export async function hashPassword(password: string): Promise<string> {
  return limitConcurrency(() => hash(password, parameters))
}

/** Verifies a password. Takes the same time with a missing or unusable hash. Throws as `hashPassword` does. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const isReal = passwordHash?.startsWith('$argon2') === true
  return (await limitConcurrency(() => verify(isReal ? passwordHash : dummyHash, password))) && isReal
}

// A hash takes 19 MiB, and 50 ms of one of libuv's four threads, which also read files. One core is left for the rest.
const limitConcurrency = openConcurrencyLimit({
  concurrency: Math.max(1, Math.min(2, availableParallelism() - 1)),
  queueMax: 100,
  waitMaxMs: 20_000,
})
