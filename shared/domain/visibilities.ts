import { t } from './message.ts'

export const listVisibilities = ['private', 'link', 'followers', 'public'] as const
export type ListVisibility = (typeof listVisibilities)[number]

export const visibilityLabels: Record<ListVisibility, string> = {
  private: t`Only you and editors`,
  link: t`Anyone with the link`,
  followers: t`Your followers`,
  public: t`Everyone`,
}

/** Answers a member’s request as to a follower, for the preview of the own profile. Reads only what visitors may call. */
export const previewHeader = 'medley-preview'
