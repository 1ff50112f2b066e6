import { z } from 'zod'
import { messages } from '#shared/texts/messages.ts'
import { passkeyNameMax } from '#shared/domain/limits.ts'
import { login } from './accounts.ts'
import { linkedProvider, providerCode } from './providers.ts'
import { count, doneText, givenPassword, id, line, message, time } from './scalars.ts'

/** The ways in which members sign in besides the password. */

const code = line(60).min(1, messages.codeMissing).meta({
  description: 'The current code of the authenticator app, or a recovery code.',
  example: '492039',
})
const recoveryCodes = z.array(z.string()).meta({
  description: 'Each replaces a code of the app, once. They are not returned again.',
  example: ['mzxw-6ytb-oi4t-qnzv'],
})

const ticket = z.string().min(1).max(100)
export const secondFactor = {
  input: z.object({
    ticket: ticket.meta({
      description: 'From the response to `POST /auth/login`.',
      example: 'qk1c3mYc0p8Q5m2m0zX1o3V7d9Jt4s6u8w0y2A4C6E8',
    }),
    code,
  }),
  output: login.output,
}
export const loginByLink = {
  input: z.object({
    token: ticket.meta({
      description: 'From the fragment of the link.',
      example: 'qk1c3mYc0p8Q5m2m0zX1o3V7d9Jt4s6u8w0y2A4C6E8',
    }),
  }),
  output: login.output,
}

const bytes = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(max)
    .meta({ description: 'Bytes as base64url.', example: 'mzxw6ytboi4tqnzv' })
const ofBrowser = {
  id: bytes(1_400),
  rawId: bytes(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(40).nullish(),
}
/** What a browser returns for a passkey (`PublicKeyCredential.toJSON()`). */
const assertion = z.object({
  ...ofBrowser,
  response: z.object({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(4_000),
    signature: bytes(4_000),
    userHandle: bytes(100)
      .nullish()
      .transform((handle) => handle ?? undefined),
  }),
  clientExtensionResults: z.object({}),
})
const attestation = z.object({
  ...ofBrowser,
  response: z.object({
    clientDataJSON: bytes(4_000),
    attestationObject: bytes(12_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
  clientExtensionResults: z.object({
    credProps: z.object({ rk: z.boolean().optional() }).optional(),
  }),
})

const challenge = z.string().meta({ example: 'mzxw6ytboi4tqnzvmzxw6ytboi4tqnzvmzxw6ytboi4tqnzv' })
const timeout = z.int().meta({ description: 'In milliseconds.', example: 600_000 })
const site = z.string().meta({ description: 'The name of the site’s host.', example: 'medley.example.org' })
const required = z.literal('required')

/** Options as browsers take them, as JSON. */
export const passkeyOptions = {
  output: z.object({
    options: z.object({ challenge, timeout, rpId: site, userVerification: required }),
  }),
}
export const passkeyLogin = { input: assertion, output: login.output }

const passkeyName = line(passkeyNameMax).min(1, messages.nameRequired).meta({ example: 'My phone' })
const passkey = z
  .object({
    id,
    name: z.string().meta({ example: 'My phone' }),
    createdAt: time,
    lastUsedAt: time.nullable().meta({ description: 'Null if it was never used.' }),
  })
  .meta({ id: 'Passkey', description: 'A passkey of a member, without its key.' })
export const newPasskeyOptions = {
  output: z.object({
    options: z.object({
      challenge,
      timeout,
      rp: z.object({ id: site, name: z.string().meta({ example: 'Medley' }) }),
      user: z.object({
        id: z.string().meta({ description: 'Bytes as base64url.', example: 'bWVtYmVyIDEy' }),
        name: z.string().meta({ example: 'reader@example.org' }),
        displayName: z.string().meta({ example: 'reader' }),
      }),
      pubKeyCredParams: z.array(
        z.object({ type: z.literal('public-key'), alg: z.int().meta({ example: -7 }) }),
      ),
      excludeCredentials: z.array(z.object({ type: z.literal('public-key'), id: z.string() })),
      authenticatorSelection: z.object({
        residentKey: required,
        requireResidentKey: z.literal(true),
        userVerification: required,
      }),
      attestation: z.literal('none'),
      extensions: z.object({ credProps: z.literal(true) }),
    }),
  }),
}
export const addPasskey = {
  input: z.object({ name: passkeyName, response: attestation }),
  output: z.object({ passkey }),
}
export const renamePasskey = { input: z.object({ id, name: passkeyName }), output: z.object({ passkey }) }
export const removePasskey = {
  input: z.object({ id }),
  output: z.object({
    message: doneText,
    credentialId: z.string().meta({
      description: 'For `PublicKeyCredential.signalUnknownCredential()`, which removes it from the device.',
      example: 'mzxw6ytboi4tqnzv',
    }),
  }),
}

export const confirmSelf = {
  input: z.object({
    password: givenPassword.exactOptional(),
    code: code.exactOptional().meta({ examples: [] }),
    passkey: assertion.exactOptional().meta({ examples: [] }),
    provider: providerCode.exactOptional().meta({ examples: [] }),
  }),
  output: message,
}

export const getSignIn = {
  output: z
    .object({
      hasPassword: z.boolean(),
      passkeys: z.array(passkey),
      passkeysAt: z.string().meta({
        description: 'The only origin with passkeys: the one of `PUBLIC_URL`.',
        example: 'https://medley.example',
      }),
      providers: z.array(linkedProvider),
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
