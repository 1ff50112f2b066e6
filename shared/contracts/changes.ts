import { z } from 'zod'
import { areas, type ChangeArea, changeAreas, changedResources } from './features.ts'
import * as limits from '#shared/domain/limits.ts'
import { anyOf } from '#shared/texts/formats.ts'
import { cursor, id, limit, time } from './scalars.ts'

export function byArea<Value>(valueOf: (area: ChangeArea) => Value) {
  const values = changeAreas.map((area) => [areas[area].plural, valueOf(area)])
  return Object.fromEntries(values) as Record<(typeof areas)[ChangeArea]['plural'], Value>
}

const resources = changedResources()
const namesOfResources = anyOf(Object.keys(resources).map((name) => `\`${name}\``))

const change = z
  .object({
    area: z.enum(changeAreas),
    action: z.enum(['created', 'updated', 'deleted']).meta({
      description: '`deleted` also if the resource was deleted after this change.',
    }),
    id: id.meta({
      description:
        'The id of the resource; for a favorite the id of the title, for a follow the id of the followed member.',
    }),
    at: time,
    itemId: id.optional().meta({ description: 'The title of a review, a diary entry or a favorite.' }),
    ...resources,
  })
  .meta({
    id: 'Change',
    description: `A change, with the resource as it is now: ${namesOfResources}, depending on \`area\`; none of them if \`action\` is \`deleted\`.`,
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

/** Transaction and id of the last change, and the time (ms) up to which all changes were read. */
export const changeCursor = z.tuple([z.int().min(0), z.int().min(0), z.int().min(0)])

const lastChange = time.nullable().meta({ description: 'Null if nothing changed within the last 90 days.' })

export const activity = {
  output: z.object(byArea(() => lastChange)),
}
