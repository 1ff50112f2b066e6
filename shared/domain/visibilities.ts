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
