import { afterAll, vi } from 'vitest'

// Test files share processes, and so the modules: a module is replaced for all files, by one that a test can spy on.
vi.mock('@node-rs/argon2', () => import('./doubles/argon2.ts'))
vi.mock('#server/accounts/passwords.ts', () => import('./doubles/passwords.ts'))
vi.mock('#server/uploads/decoder.ts', () => import('./doubles/children.ts'))
vi.mock('#server/imports/read/child.ts', () => import('./doubles/children.ts'))
// A busy machine would refuse calls of tests that have nothing to do with load.
vi.mock('#server/http/limits/load-shedding.ts', () => ({ registerLoadShedding: async () => {} }))

afterAll(() => void vi.unstubAllGlobals())
