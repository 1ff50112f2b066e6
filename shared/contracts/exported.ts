import { z } from 'zod'

export const titleRef = z
  .int()
  .positive()
  .meta({ description: 'The `ref` of a title of this file.', example: 12 })
export const username = z.string().meta({ example: 'lantern_moth' })
export const ratingGiven = z.string().nullable().meta({
  description: 'The rating on the scale of the service that it was imported from.',
  example: '4.5/5',
})
export const date = z.string().nullable().meta({
  description: '`YYYY-MM-DD`, or `YYYY-MM` or `YYYY` if the exact date is unknown.',
  example: '2026-05-04',
})
export const text = z.string().meta({ example: 'Stays with you.' })
