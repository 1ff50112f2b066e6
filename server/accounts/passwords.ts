import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ownersOf } from '#server/process/addresses.ts'
import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'

/** Parameters from OWASP's Password Storage Cheat Sheet: 19 MiB, two passes. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Replaces a missing hash, so that the response time does not reveal whether an account exists. */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$pD6WSM9j4PSPVPm499yQew$pdnzJQrUzboFLPZLge5h7rku6BpYOGg3T084iJIzs1k'

/** Throws SERVICE_UNAVAILABLE if the queue is full or the wait too long. Networks take turns. */
export async function hashPassword(password: string, address?: string): Promise<string> {
  return limitConcurrency(() => hash(password, parameters), ownersOf(address))
}

/**
 * Takes the same time with a missing or unusable hash. Throws as `hashPassword` does. `count` runs after all other checks; if it throws,
 * the password is not verified.
 */
export async function isPassword(
  password: string,
  passwordHash: string | undefined,
  { address, count }: { address?: string; count?: () => Promise<void> } = {},
): Promise<boolean> {
  const isReal = passwordHash?.startsWith('$argon2') === true
  return limitConcurrency(async () => {
    await count?.()
    return (await verify(isReal ? passwordHash : dummyHash, password)) && isReal
  }, ownersOf(address))
}

// A hash takes 19 MiB, and 50 ms of one of libuv's four threads, which also read files.
const limitConcurrency = openConcurrencyLimit({
  concurrency: Math.max(1, Math.min(2, availableParallelism() - 1)),
  queueMax: 100,
  waitMaxMs: 20_000,
})
