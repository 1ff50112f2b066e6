/** Who may read a list besides its owner and its editors. */
export const listVisibilities = ['private', 'link', 'followers', 'public'] as const
export type ListVisibility = (typeof listVisibilities)[number]

/** Who that is, in the words of the web app. */
export const visibilityLabels: Record<ListVisibility, string> = {
  private: 'Only you and editors',
  link: 'Anyone with the link',
  followers: 'Your followers',
  public: 'Everyone',
}

/**
 * With this header, a member’s request is answered as to a follower of theirs, for the preview of the own profile. It reads only what
 * visitors may call.
 */
export const previewHeader = 'medley-preview'
