import { vi } from 'vitest'

// On a busy machine the server would refuse calls of tests that have nothing to do with load.
vi.mock('#server/http/limits/load-shedding.ts', () => ({ registerLoadShedding: async () => {} }))
