/**
 * One title of the starter catalogue: our own writing about well-known works, with true facts.
 * It stands in where an outside source has no key or no network.
 */
export type StarterTitle = {
  /** Unique within its kind, kebab-case; never changed once released, since it is the title's external id. */
  slug: string
  name: string
  /** One line of our own, in the spirit of the work; null where nothing good comes to mind. */
  tagline: string | null
  /** 30 to 80 words, our own. */
  overview: string
  /** First release, `YYYY-MM-DD`, or `YYYY` where the day is not sure. */
  releaseDate: string
  /** One to four, in the outside source's usual words ("Science Fiction", "Role-playing (RPG)"). */
  genres: string[]
  /** Directors, TV creators, authors, developers: as credited. */
  creators: string[]
  /** Minutes: a movie's length, an episode's usual length. */
  runtime?: number
  pageCount?: number
  platforms?: string[]
  /** Thirteen digits with a right check digit. */
  isbn13?: string
  /** An Open Library work or edition, `OL…W` or `OL…M`. */
  olid?: string
  /** In TMDB's number space of the kind (movie or TV). */
  tmdbId?: number
  igdbId?: number
  /** How widely known, 1 to 100: decides the order where nothing else does, and how busy the demo community is about it. */
  fame: number
  /** The mean rating the demo community tends to, 2.0 to 4.8. */
  acclaim: number
  art: StarterArt
}

/** What the poster generator draws. */
export type StarterArt = {
  motif: Motif
  /** Background, middle tone, accent: `#rrggbb`. Light text must not be assumed; the generator measures. */
  palette: [string, string, string]
}

export const motifs = [
  'sun',
  'moon',
  'stars',
  'planet',
  'mountain',
  'sea',
  'city',
  'forest',
  'desert',
  'house',
  'road',
  'door',
  'eye',
  'spiral',
  'grid',
  'circles',
  'stripes',
  'blade',
  'heart',
  'flame',
  'rain',
  'snow',
  'crown',
  'tower',
  'leaf',
  'key',
  'mask',
  'bird',
  'train',
  'ship',
  'clock',
  'cards',
  'maze',
  'wheel',
  'rocket',
  'bones',
] as const
export type Motif = (typeof motifs)[number]
