import { t } from '#shared/domain/message.ts'

export function displayName({
  username,
  email,
}: {
  username?: string | undefined
  email?: string | undefined
}): string {
  return username || email?.split('@', 1)[0] || t`User`
}
