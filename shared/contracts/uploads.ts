import { z } from 'zod'
import { errorRefs } from './errors.ts'

const uploadResponse = z
  .object({
    imageUrl: z.string().meta({
      format: 'uri-reference',
      description: 'A path on this host.',
      example: '/uploads/3f9c2a7d5e-640.webp',
    }),
  })
  .meta({ id: 'Upload' })

/** A route, not a procedure, because its body is a file. */
export const uploadPaths = {
  '/upload': {
    post: {
      operationId: 'uploadPicture',
      summary: 'Upload a picture',
      description:
        'JPG, PNG, GIF, WebP or AVIF, recognized by content; at most 5 MB, 25 megapixels (AVIF 12.5) and 16,384 pixels per side. ' +
        'The picture is re-encoded to WebP, which drops its metadata; an animation keeps its first frame. Profiles and movies ' +
        'take the returned `imageUrl`. Its name ends with the largest width; smaller widths of 160, 320, 640 and 1280 pixels are ' +
        'stored beside it. A picture that nothing refers to is removed after a day. No token is required, because a sign-up can ' +
        'include a picture; without one, a picture is at most 320 pixels wide and is removed after an hour unless an account uses ' +
        'it. A member can upload 200 pictures or 100 MB (as stored) per day.',
      tags: ['Uploads'],
      security: [{}, { bearer: [] }, { accessToken: [] }],
      'x-required-scope': 'account',
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: z.object({ image: z.string().meta({ format: 'binary', description: 'The file.' }) }),
          },
        },
      },
      responses: {
        201: { description: 'Created.', content: { 'application/json': { schema: uploadResponse } } },
        ...errorRefs([400, 403, 408, 413, 415, 429, 500, 503]),
      },
    },
  },
}
