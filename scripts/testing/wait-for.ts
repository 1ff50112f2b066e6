import { vi } from 'vitest'

// The default, one second, is too short for a busy machine, and no setting changes it.
const { waitFor } = vi
vi.waitFor = ((callback, options = 60_000) => waitFor(callback, options)) as typeof vi.waitFor
