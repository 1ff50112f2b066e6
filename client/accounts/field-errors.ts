import { useEffect } from 'react'
import type { ApiError } from '#client/app/trpc.ts'
import type { FormErrors } from '#client/ui/field.tsx'
import { whenIdle } from '#client/ui/lazy.ts'
import type * as schemas from './schemas.ts'

type Schemas = typeof schemas
type Issue = { path: readonly PropertyKey[]; message: string }

const load = () => import('./schemas.ts')

/** Returns the first error of each field; undefined if the values are valid, or if the schema cannot be loaded: the server validates them too. */
export function useValidation(call: keyof Schemas) {
  useEffect(() => whenIdle(() => void load().catch(() => {})), [])
  return async (values: unknown): Promise<FormErrors | undefined> => {
    const loaded = await load().catch(() => undefined)
    const parsed = loaded?.[call].input.safeParse(values)
    return parsed?.error && byField(parsed.error.issues)
  }
}

export function responseErrors(error: unknown): FormErrors | undefined {
  const { data, message } = error as ApiError
  if (data?.reason === 'USERNAME_TAKEN') return { username: message }
  if (data?.reason === 'EMAIL_TAKEN') return { email: message }
  const issues = (data as { issues?: Issue[] } | null | undefined)?.issues
  return issues?.length ? byField(issues) : undefined
}

function byField(issues: readonly Issue[]): FormErrors {
  const errors: FormErrors = {}
  for (const { path, message } of issues) errors[String(path[0])] ??= message
  return errors
}
