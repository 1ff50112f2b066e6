/** A season or an episode, with what its readers gave it. */
export type RatedPart = {
  part: { seasonId: number } | { episodeId: number }
  name: string
  showId: number
  avg: number | null
  count: number
  /** The member’s own, null without one; undefined for a visitor. */
  rating: number | null | undefined
}
