/** The rows of a member that an import may have written. */
export const writtenThings = ['review', 'entry', 'favorite', 'listItem'] as const
export type WrittenThing = (typeof writtenThings)[number]
