/** Each role includes those before it. */
export const roles = ['member', 'moderator', 'admin'] as const
export type Role = (typeof roles)[number]

export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

export function rankOf(role: Role): number {
  return roles.indexOf(role)
}
