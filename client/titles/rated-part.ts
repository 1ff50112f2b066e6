import type { TitleRef } from '#client/app/kinds.ts'
import type { PartKey } from '#shared/contracts/reviews.ts'

/** A season or an episode, with what its readers gave it. */
export type RatedPart = {
  title: TitleRef & { part: PartKey; name: string }
  avg: number | null
  count: number
  /** The member’s own, null without one; undefined for a visitor. */
  rating: number | null | undefined
}
