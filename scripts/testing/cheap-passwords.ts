import type * as argon2 from '@node-rs/argon2'
import { vi } from 'vitest'

// The real library with minimal cost parameters: tests hash and verify thousands of passwords, each of which would take 50 ms of
// CPU time. Of hashes with other parameters, tests verify only that of an unknown password (`dummyHash`).
vi.mock('@node-rs/argon2', async (load) => {
  const { hash, verify } = await load<typeof argon2>()
  const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }
  const unknown = await hash('an unknown password', cheap)
  return {
    hash: vi.fn<typeof hash>((password) => hash(password, cheap)),
    verify: vi.fn<typeof verify>((known, password) =>
      verify(String(known).includes('m=8,') ? known : unknown, password),
    ),
  }
})
