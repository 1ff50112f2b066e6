// Apart from moderation.ts, so that the notice of a restriction does not load its schemas.

/** The decisions that change what a member may do, mildest first. */
export const restrictions = ['freeze', 'suspend', 'removeAll'] as const

/** Returns whether a decision restricts a member. */
export function isRestriction(action: string): action is (typeof restrictions)[number] {
  return (restrictions as readonly string[]).includes(action)
}
