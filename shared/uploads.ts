import { z } from 'zod'

export const uploadAnswer = z
  .object({
    imageUrl: z
      .string()
      .meta({ description: 'A path on this host.', example: '/uploads/3f9c2a7d5e-640.webp' }),
  })
  .meta({ id: 'Upload' })
