import { z } from 'zod'
import { ownEntry } from './diary.ts'
import * as limits from './limits.ts'
import { changedList } from './lists.ts'
import { reviewWithTitle } from './reviews.ts'
import { cursor, id, limit, person, time, titleCard } from './scalars.ts'

/** The areas of the change log, with their names in `activity` and a description of the changes for the events of webhooks. */
export const areas = {
  review: { plural: 'reviews', event: 'You rate or review a title, or change or delete a review.' },
  diary: { plural: 'diary', event: 'Your diary changes.' },
  favorite: { plural: 'favorites', event: 'You add or remove a favorite.' },
  list: { plural: 'lists', event: 'A list of yours or its titles change, or you create or delete one.' },
  follow: { plural: 'follows', event: 'You follow or unfollow someone.' },
} as const
export type ChangeArea = keyof typeof areas
export const changeAreas = Object.keys(areas) as ChangeArea[]

/** Returns a value for each area, by its name in `activity`. */
export function byArea<Value>(valueOf: (area: ChangeArea) => Value) {
  const values = changeAreas.map((area) => [areas[area].plural, valueOf(area)])
  return Object.fromEntries(values) as Record<(typeof areas)[ChangeArea]['plural'], Value>
}

const change = z
  .object({
    area: z.enum(changeAreas),
    action: z.enum(['created', 'updated', 'deleted']).meta({
      description: '`deleted` also if the resource was deleted after this change.',
    }),
    id: id.meta({
      description:
        'The id of the review, diary entry or list; for a favorite the id of the title, for a follow the id of the followed member.',
    }),
    at: time,
    itemId: id.optional().meta({ description: 'The title of a review, a diary entry or a favorite.' }),
    review: reviewWithTitle.optional(),
    entry: ownEntry.optional().meta({ examples: [] }),
    title: titleCard.optional().meta({ description: 'The title of a favorite.', examples: [] }),
    list: changedList.optional().meta({ examples: [] }),
    user: person.optional().meta({ description: 'The followed member.', examples: [] }),
  })
  .meta({
    id: 'Change',
    description:
      'A change, with the resource as it is now: `review`, `entry`, `title`, `list` or `user`, depending on `area`; none of them if `action` is `deleted`.',
  })
export type Change = z.infer<typeof change>

export const listChanges = {
  input: z.object({
    since: cursor.meta({
      description:
        'The `nextCursor` of the previous response. Without it, returns the newest cursor and no changes.',
      examples: [],
    }),
    limit: limit(limits.limitMax),
  }),
  output: z.object({
    changes: z.array(change),
    nextCursor: z.string().meta({
      description: 'The cursor to continue with, also after the last change.',
      example: 'WzAsNDIsMTc3Nzg5ODcwMDAwMF0',
    }),
    hasMore: z.boolean().meta({ description: 'Whether there are more changes now.', example: false }),
  }),
}

/** The values of a cursor: transaction and id of the last change, and the time (ms) up to which all changes were read. */
export const changeCursor = z.tuple([z.int().min(0), z.int().min(0), z.int().min(0)])

const lastChange = time.nullable().meta({ description: 'Null if nothing changed within the last 90 days.' })

export const activity = {
  output: z.object(byArea(() => lastChange)),
}
