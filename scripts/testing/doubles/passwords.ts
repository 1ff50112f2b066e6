import { vi } from 'vitest'
import type * as passwords from '#server/accounts/passwords.ts'

const real = await vi.importActual<typeof passwords>('#server/accounts/passwords.ts')
export const { dummyHash } = real
export const hashPassword = vi.fn<typeof real.hashPassword>(real.hashPassword)
export const isPassword = vi.fn<typeof real.isPassword>(real.isPassword)
