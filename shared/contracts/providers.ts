import { z } from 'zod'
import { signInStepMinutes } from '#shared/domain/limits.ts'
import { login } from './accounts.ts'
import { givenPassword, message, time } from './scalars.ts'

/** Logins with providers, by OpenID Connect. */

const name = z
  .string()
  .regex(/^[a-z\d-]+$/)
  .max(30)
  .meta({ description: 'The name of a provider.', example: 'example' })
const label = z.string().meta({ description: 'The name to show.', example: 'Example' })
const secret = z.string().min(1).max(100)
const path = z.string().min(1).max(500)
export const providerCode = secret.meta({
  description: 'From the fragment of the address that the provider’s login ends at.',
  example: 'qk1c3mYc0p8Q5m2m0zX1o3V7d9Jt4s6u8w0y2A4C6E8',
})

export const listProviders = {
  output: z.object({
    providers: z.array(
      z.object({
        name,
        label,
        url: z.string().meta({
          description:
            'A page of this site to open. It continues at the provider. `redirect` names the page after the login.',
          example: '/auth/oidc/example',
        }),
      }),
    ),
    passwordLogin: z.boolean().meta({ description: 'Whether members log in with a password.' }),
  }),
}

export const providerLogin = {
  input: z.object({
    code: providerCode,
    acceptsRules: z
      .boolean()
      .exactOptional()
      .meta({ description: 'Must be true for a new account if the site has rules.', examples: [] }),
  }),
  output: login.output,
}

export const providerLink = {
  input: z.object({
    ticket: secret.meta({
      description: `From the response to \`POST /auth/oidc/login\`, for ${signInStepMinutes} minutes.`,
      example: 'qk1c3mYc0p8Q5m2m0zX1o3V7d9Jt4s6u8w0y2A4C6E8',
    }),
    password: givenPassword,
  }),
  output: login.output,
}

const begun = z.object({
  url: z.string().meta({
    description: 'A page of this site to open, once. It continues at the provider.',
    example: '/auth/oidc/example?step=qk1c3mYc0p8Q5m2m0zX1o3V7d9Jt4s6u8w0y2A4C6E8',
  }),
})
const begin = z.object({
  name,
  redirect: path
    .exactOptional()
    .meta({ description: 'The path of the page afterwards; by default the settings.', examples: [] }),
})
export const linkProvider = { input: begin, output: begun }
export const confirmByProvider = { input: begin, output: begun }
export const unlinkProvider = { input: z.object({ name }), output: message }

export const linkedProvider = z.object({
  name,
  label,
  linkedAt: time,
})
