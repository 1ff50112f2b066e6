import { z } from 'zod'
import { diaryYear } from '#shared/contracts/diary.ts'
import { errorRefs } from '#shared/contracts/errors.ts'
import { id } from '#shared/contracts/scalars.ts'
import { type ShareShape, shareShapeNames, shareShapes } from '#shared/domain/share.ts'

export const shareQuery = z.object({
  shape: z
    .enum(shareShapeNames as [ShareShape, ...ShareShape[]])
    .default('wide')
    .meta({
      description: Object.entries(shareShapes)
        .map(([name, { width, height }]) => `\`${name}\` is ${width} by ${height} pixels`)
        .join(', '),
      example: 'square',
    }),
  v: z.string().max(100).optional().meta({
    description: 'Any text that changes with the content. With it, the picture may be stored for a day.',
    examples: [],
  }),
  lang: z.string().max(20).optional().meta({
    description:
      'The language of its texts and names of titles: one of the `languages` of `GET /site`. Without it, with an unknown one or one that has no Latin letters, English.',
    examples: [],
  }),
  key: z.string().max(64).optional().meta({
    description: 'The key of the link, for a list with the visibility `link`.',
    examples: [],
  }),
})

const picturePath = (operationId: string, what: string, path: Record<string, z.ZodType> = {}) => ({
  get: {
    operationId,
    summary: `Get a picture of ${what}`,
    description:
      'A JPEG for link previews and posts. Shows what a visitor sees, whatever token is sent; 404 if visitors may not see it or it is empty.',
    tags: ['Feeds'],
    security: [],
    requestParams: { path: z.object({ id, ...path }), query: shareQuery },
    responses: {
      200: {
        description: 'The picture.',
        content: { 'image/jpeg': { schema: z.string().meta({ format: 'binary' }) } },
      },
      ...errorRefs([400, 404, 429, 500, 503]),
    },
  },
})

export const sharePaths = {
  '/reviews/{id}/share.jpg': picturePath('getReviewPicture', 'a review'),
  '/lists/{id}/share.jpg': picturePath('getListPicture', 'a list'),
  '/users/{id}/share.jpg': picturePath('getFavoritesPicture', 'the favorites of a member'),
  '/users/{id}/year/{year}/share.jpg': picturePath(
    'getYearPicture',
    'a year of a member’s diary',
    diaryYear.input.pick({ year: true }).shape,
  ),
}
