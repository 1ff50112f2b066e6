import { z } from 'zod'
import { messages } from '#shared/texts/messages.ts'
import { login } from './accounts.ts'
import { count, doneText, givenPassword, line, message } from './scalars.ts'

/** The ways in which members sign in besides the password. */

const code = line(60).min(1, messages.codeMissing).meta({
  description: 'The current code of the authenticator app, or a recovery code.',
  example: '492039',
})
const recoveryCodes = z.array(z.string()).meta({
  description: 'Each replaces a code of the app, once. They are not returned again.',
  example: ['mzxw-6ytb-oi4t-qnzv'],
})

export const secondFactor = {
  input: z.object({
    ticket: z.string().min(1).max(100).meta({
      description: 'From the response to `POST /auth/login`.',
      example: 'qk1c3mYc0p8Q5m2m0zX1o3V7d9Jt4s6u8w0y2A4C6E8',
    }),
    code,
  }),
  output: login.output,
}

export const confirmSelf = {
  input: z.object({
    password: givenPassword.exactOptional(),
    code: code.exactOptional().meta({ examples: [] }),
  }),
  output: message,
}

export const getSignIn = {
  output: z
    .object({
      hasPassword: z.boolean(),
      totp: z.object({
        isOn: z.boolean().meta({ description: 'Whether logins ask for a code of an authenticator app.' }),
        recoveryCodesLeft: count,
      }),
    })
    .meta({ id: 'SignIn', description: 'The ways in which a member signs in.' }),
}

export const startTotp = {
  output: z.object({
    secret: z.string().meta({ description: 'In base32.', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
    url: z.string().meta({
      description: 'For a QR code, which authenticator apps read.',
      example: 'otpauth://totp/Medley:reader?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Medley',
    }),
  }),
}
export const confirmTotp = {
  input: z.object({
    code: code.meta({ description: 'The current code of the authenticator app.', example: '492039' }),
  }),
  output: z.object({ message: doneText, recoveryCodes }),
}
export const renewRecoveryCodes = { output: z.object({ recoveryCodes }) }
export const removeTotp = { output: message }
