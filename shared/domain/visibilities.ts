export const listVisibilities = ['private', 'link', 'followers', 'public'] as const
export type ListVisibility = (typeof listVisibilities)[number]

export const visibilityLabels: Record<ListVisibility, string> = {
  private: 'Only you and editors',
  link: 'Anyone with the link',
  followers: 'Your followers',
  public: 'Everyone',
}

/** Answers a member’s request as to a follower, for the preview of the own profile. Reads only what visitors may call. */
export const previewHeader = 'medley-preview'
