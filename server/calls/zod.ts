import { z } from 'zod'

/**
 * Configures zod for the server; called before any procedure is created.
 *
 * - Messages of schemas without a message of their own start with the path of the field.
 * - tRPC validates with `parseAsync`, which bypasses the parser that zod compiles for an object and takes four times as long. Our
 *   schemas are not asynchronous, so objects are parsed synchronously; an asynchronous refinement throws.
 */
export function configureZod(): void {
  const english = z.locales.en().localeError
  z.config({
    customError: (issue) => {
      const error = english(issue)
      const text = typeof error === 'string' ? error : error?.message
      return issue.path?.length ? `${issue.path.join('.')}: ${text}` : text
    },
  })
  // zod installs its methods on the prototype with the first schema, and would replace this one.
  z.object({})
  z.ZodObject.prototype.parseAsync = async function parse(this: z.ZodObject, data: unknown) {
    return this.parse(data)
  } as never
}
