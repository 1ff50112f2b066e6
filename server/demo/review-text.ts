/** The way somebody writes; a demo member has one or two, a text one. */
export type Voice = 'terse' | 'wry' | 'earnest' | 'careful' | 'fan'

/** A review for the demo community, not yet anybody's: the seeding gives it to a member whose voice and taste fit. */
export type ReviewText = {
  /** A title's slug in the starter catalogue, of this file's kind. */
  slug: string
  rating: 1 | 2 | 3 | 4 | 5
  voice: Voice
  /** As people write: from four words to three short paragraphs. */
  text: string
  /** What others answer below it, oldest first; mostly none. */
  comments?: string[]
}
