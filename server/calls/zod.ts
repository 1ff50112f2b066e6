import { z } from 'zod'

/** Before any procedure is created. Messages without a text of their own start with the path of the field. */
export function configureZod(): void {
  const english = z.locales.en().localeError
  z.config({
    customError: (issue) => {
      const error = english(issue)
      const text = typeof error === 'string' ? error : error?.message
      return issue.path?.length ? `${issue.path.join('.')}: ${text}` : text
    },
  })
}
