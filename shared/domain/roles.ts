/** What members may do beyond their own data: a moderator decides reports; an admin does that, and changes settings and roles. */
export const roles = ['member', 'moderator', 'admin'] as const
export type Role = (typeof roles)[number]

/** Returns whether a role includes another: each role includes those before it. */
export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

/** Returns the place of a role in `roles`, for queries. */
export function rankOf(role: Role): number {
  return roles.indexOf(role)
}
