import { reviewTextMax } from '#shared/limits.ts'

const number = new Intl.NumberFormat()

/** What keeps a review's text from being posted, in words for its author. */
export function textProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Please write a few words. Your stars count without them, too.'
  if (text.trim().length > reviewTextMax)
    return `Please keep it under ${number.format(reviewTextMax)} characters.`
  return undefined
}

/** A counter that shows only where the end is near. */
export function counterFrom(text: string): number | undefined {
  return text.length > reviewTextMax * 0.9 ? reviewTextMax : undefined
}
