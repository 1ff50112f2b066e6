import type * as argon2 from '@node-rs/argon2'
import { vi } from 'vitest'

const real = await vi.importActual<typeof argon2>('@node-rs/argon2')
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }
const unknown = await real.hash('an unknown password', cheap)

// Minimal cost: tests hash and verify thousands of passwords, each of which would take 50 ms of CPU time. Of hashes with other parameters,
// tests verify only `dummyHash`.
export const hash = vi.fn<typeof real.hash>((password) => real.hash(password, cheap))
export const verify = vi.fn<typeof real.verify>((known, password) =>
  real.verify(String(known).includes('m=8,') ? known : unknown, password),
)
