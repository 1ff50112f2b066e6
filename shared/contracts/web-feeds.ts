import { z } from 'zod'
import { allKinds, namesOf } from '#shared/domain/kinds.ts'
import { errorRefs } from './errors.ts'
import { id, shownName } from './scalars.ts'

const feedExample =
  '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>Reviews by ada</title></feed>\n'
const newestReviews = 'the 50 newest reviews with a text, without what is marked as a spoiler'
const atomPath = (operationId: string, summary: string, content = newestReviews, statuses = [404]) => ({
  get: {
    operationId,
    summary,
    description: `An Atom feed of ${content}. Made for feed readers: what a visitor sees, whatever token is sent.`,
    tags: ['Feeds'],
    security: [],
    requestParams: { path: z.object({ id }) },
    responses: {
      200: {
        description: 'The feed.',
        content: { 'application/atom+xml': { schema: z.string(), example: feedExample } },
      },
      ...errorRefs([400, ...statuses, 429, 500, 503]),
    },
  },
})

const oEmbed = z
  .object({
    version: z.literal('1.0'),
    type: z.enum(['link', 'rich']).meta({ description: '`rich` for the permalink of a review.' }),
    title: z.string().meta({ example: 'lantern_moth on The Long Way' }),
    provider_name: z.string().meta({ example: 'Medley' }),
    provider_url: z.string().meta({ format: 'uri', example: 'https://medley.example/' }),
    cache_age: z.int().meta({ description: 'In seconds.', example: 3_600 }),
    author_name: shownName.optional(),
    author_url: z.string().optional().meta({ format: 'uri', example: 'https://medley.example/user/7' }),
    html: z.string().optional().meta({ description: 'A `blockquote` of the review, without scripts.' }),
    width: z.int().optional().meta({ example: 550 }),
    height: z.int().optional().meta({ example: 240 }),
  })
  .meta({ id: 'OEmbed', description: 'Describes a title, a review or a list, as in https://oembed.com.' })

const maxSize = z.int().min(1).optional().meta({ description: 'In pixels.', examples: [] })

export const feedPaths = {
  // A private profile has no public feed.
  '/users/{id}/reviews.atom': atomPath(
    'getMemberFeed',
    'Get the reviews of a member as an Atom feed',
    newestReviews,
    [403, 404],
  ),
  ...Object.fromEntries(
    allKinds.map((definition) => {
      const { One, one } = namesOf(definition)
      return [
        `/${definition.path}/{id}/reviews.atom`,
        atomPath(`get${One}Feed`, `Get the reviews of a ${one} as an Atom feed`),
      ]
    }),
  ),
  '/lists/{id}.atom': atomPath(
    'getListFeed',
    'Get the titles of a list as an Atom feed',
    'the 50 titles that were added last',
  ),
  '/oembed': {
    get: {
      operationId: 'getOEmbed',
      summary: 'Describe a title, a review or a list for embedding',
      description:
        'Takes the address of the page of a title or a list, or the permalink of a review (`?review=42`), on this host.',
      tags: ['Feeds'],
      security: [],
      requestParams: {
        query: z.object({
          url: z
            .string()
            .max(2_000)
            .meta({ format: 'uri', example: 'https://medley.example/movies/12?review=42' }),
          format: z
            .string()
            .optional()
            .meta({ description: '`json`, the default; 501 for another one.', examples: [] }),
          maxwidth: maxSize,
          maxheight: maxSize,
        }),
      },
      responses: {
        200: { description: 'OK.', content: { 'application/json': { schema: oEmbed } } },
        ...errorRefs([400, 404, 429, 500, 501, 503]),
      },
    },
  },
}
