/** What a member is called: by name, else by the part of the email before the @. */
export function displayName({
  username,
  email,
}: {
  username?: string | undefined
  email?: string | undefined
}): string {
  return username || email?.split('@', 1)[0] || 'User'
}
