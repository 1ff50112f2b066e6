import { z } from 'zod'
import { exportedEntry, ownEntry } from './diary.ts'
import { exportedImport } from './imports.ts'
import { changedList, exportedList, exportedListItem, exportedOtherList } from './lists.ts'
import { exportedDecision, exportedReport } from './moderation.ts'
import { exportedOtherMember } from './privacy.ts'
import { changedBatch, exportedPlay } from './progress.ts'
import { exportedStep } from './steps.ts'
import { reviewWithTitle } from './library.ts'
import { exportedComment, exportedPartReview, exportedReaction, exportedReview } from './reviews.ts'
import { person, titleCard } from './scalars.ts'
import { exportedFavorite, exportedFollow } from './social.ts'
import { t } from '#shared/domain/message.ts'

/** server/<feature>/feature.ts reads the data. Schemas are results of functions, so that the browser, which needs the areas, does not load them. */

export const exportParts = () => ({
  reviews: z.array(exportedReview).meta({ description: 'Ratings, with or without a text.' }),
  partReviews: z
    .array(exportedPartReview)
    .meta({ description: 'Ratings of seasons and episodes, with or without a text.' }),
  diary: z.array(exportedEntry),
  steps: z.array(exportedStep).meta({ description: 'How far the member was in movies, books and games.' }),
  plays: z.array(exportedPlay).meta({ description: 'The episodes that the member watched.' }),
  favorites: z.array(exportedFavorite),
  lists: z.array(exportedList),
  listItems: z.array(exportedListItem).meta({ description: 'The titles of the lists, in order.' }),
  likedLists: z.array(exportedOtherList).meta({ description: 'Lists of other members, and own ones.' }),
  followedLists: z.array(exportedOtherList),
  editedLists: z.array(exportedOtherList).meta({ description: 'Lists of others that the member edits.' }),
  followRequests: z.array(exportedOtherMember).meta({ description: 'Requests to follow private members.' }),
  blocked: z.array(exportedOtherMember),
  muted: z.array(exportedOtherMember),
  following: z.array(exportedFollow),
  reactions: z.array(exportedReaction).meta({ description: 'Reactions to the reviews of other members.' }),
  comments: z.array(exportedComment).meta({ description: 'Comments on reviews.' }),
  reports: z.array(exportedReport).meta({ description: 'What the member has reported.' }),
  decisions: z.array(exportedDecision).meta({ description: 'Decisions of moderators about the member.' }),
  imports: z.array(exportedImport),
})

/** The names in `activity`; the descriptions are for events of webhooks. */
export const areas = {
  review: { plural: 'reviews', event: t`You rate or review a title, or change or delete a review.` },
  diary: { plural: 'diary', event: t`Your diary changes, or how far you are in a movie, a book or a game.` },
  progress: { plural: 'progress', event: t`You mark episodes as watched, or take it back.` },
  favorite: { plural: 'favorites', event: t`You add or remove a favorite.` },
  list: { plural: 'lists', event: t`A list of yours or its titles change, or you create or delete one.` },
  follow: { plural: 'follows', event: t`You follow or unfollow someone.` },
} as const
export type ChangeArea = keyof typeof areas
export const changeAreas = Object.keys(areas) as ChangeArea[]

/** A change has the property of its area. */
export const changedResources = () => ({
  review: reviewWithTitle.optional(),
  entry: ownEntry.optional().meta({ examples: [] }),
  batch: changedBatch.optional().meta({ description: 'Of a change of progress.', examples: [] }),
  title: titleCard.optional().meta({ description: 'The title of a favorite.', examples: [] }),
  list: changedList.optional().meta({ examples: [] }),
  user: person.optional().meta({ description: 'The followed member.', examples: [] }),
})
