import type { ApiError } from '#client/app/trpc.ts'
import type { FormErrors } from '#client/ui/field.tsx'

type Issue = { path: readonly PropertyKey[]; message: string }
type Schema = {
  safeParse: (value: unknown) => { success: boolean; error?: { issues: readonly Issue[] } | undefined }
}

/** Validates values by a schema. Returns the first error of each field; undefined if the values are valid. */
export function validationErrors(schema: Schema, values: unknown): FormErrors | undefined {
  const parsed = schema.safeParse(values)
  return parsed.success ? undefined : byField(parsed.error?.issues ?? [])
}

/** Returns the errors that a response has for fields, by field; undefined if it has none. */
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
