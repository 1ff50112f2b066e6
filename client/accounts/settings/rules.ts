import { passwordMin } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { t } from '#shared/domain/message.ts'

export type ProfileFields = { username: string; email: string; bio: string }

export function changedFields(before: ProfileFields, after: ProfileFields): Partial<ProfileFields> {
  const username = after.username.trim()
  const email = after.email.trim()
  const bio = after.bio.trim()
  return {
    ...(username !== before.username && { username }),
    ...(email !== before.email && { email }),
    ...(bio !== before.bio && { bio }),
  }
}

export type PasswordFields = { currentPassword: string; newPassword: string; confirmation: string }

/** Ignores surrounding space. Without `hasPassword` there is no current one. */
export function passwordErrors(
  fields: PasswordFields,
  hasPassword = true,
): Partial<Record<keyof PasswordFields, string>> | undefined {
  const current = fields.currentPassword.trim()
  const next = fields.newPassword.trim()
  const confirmation = fields.confirmation.trim()
  const missing = (['currentPassword', 'newPassword', 'confirmation'] as const).find(
    (name) => fields[name].trim() === '' && (hasPassword || name !== 'currentPassword'),
  )
  if (missing) return { [missing]: messages.passwordFieldsMissing }
  if (next.length < passwordMin) return { newPassword: messages.newPasswordTooShort }
  if (next !== confirmation) return { confirmation: messages.passwordsDiffer }
  if (hasPassword && next === current) return { newPassword: messages.passwordUnchanged }
  return undefined
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** “Firefox on Linux”, or the first word of the user agent. */
export function describeAgent(userAgent: string | null): string {
  if (!userAgent) return t`Unknown device`
  const nameIn = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameIn(browsers)
  const system = nameIn(systems)
  if (browser && system) return t`${browser} on ${system}`
  return browser ?? system ?? (userAgent.split(/[\s/]/)[0] || t`Unknown device`)
}

export function isHandheld(userAgent: string | null): boolean {
  return /\b(?:iPhone|iPad|Android)\b/.test(userAgent ?? '')
}
