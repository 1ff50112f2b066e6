import { z } from 'zod'
import {
  accessTokenNameMax,
  accessTokensMax,
  accessTokenYearsMax,
  bioMax,
  proofMax,
  signUpReasonMax,
} from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { standings } from './moderation.ts'
import { roles } from '#shared/domain/roles.ts'
import {
  count,
  doneText,
  email,
  givenPassword,
  id,
  image,
  isPrivate,
  line,
  message,
  password,
  person,
  shownName,
  text,
  time,
  uploadedImage,
  username,
  halfStars,
} from './scalars.ts'
import { scopeNames } from '#shared/domain/scopes.ts'
import { inviteCode } from './site.ts'

const shownEmail = z.string().meta({ format: 'email', example: 'reader@example.org' })
const mailedToken = (error?: string) =>
  z
    .string(error === undefined ? undefined : { error })
    .min(1, error)
    .max(200)
    .meta({
      description: 'The token of the link in the email.',
      example: 'qk1c3mYc0p8Q5m2m0zX1o3V7d9Jt4s6u8w0y2A4C6E8',
    })

export const profile = z
  .object({
    id,
    username: shownName,
    profilePicture: image,
    reviewCount: count.meta({ description: 'Titles rated or reviewed.', example: 12 }),
    followersCount: count,
    followingCount: count,
    bio: z.string().meta({
      description: 'What the member says about themselves, as plain text; may be blank.',
      example: 'Slow films, thick books.',
    }),
    isPrivate,
    isClosed: z.literal(true).exactOptional().meta({
      description: 'Only present if the caller may not see what the member writes: `bio` is then blank.',
      examples: [],
    }),
    email: shownEmail.optional().meta({ description: 'Only present in the caller’s own profile.' }),
  })
  .meta({
    id: 'Profile',
    description: 'The public profile of a member. Only the caller’s own profile has `email`.',
  })

const deletionTime = time.nullable().meta({
  description: 'When the account will be deleted; null if no deletion is scheduled.',
  example: null,
})

export const me = profile
  .extend({
    email: shownEmail,
    pendingEmail: z.string().nullable().meta({
      format: 'email',
      description: 'A new address that is not verified yet; null if there is none.',
      example: 'new-address@example.org',
    }),
    deletionAt: deletionTime,
    halfStars,
    role: z.enum(roles).exclude(['member']).exactOptional().meta({
      description: 'Only present for moderators and admins, unless the account is frozen or suspended.',
      examples: [],
    }),
    standing: z.enum(standings).exclude(['active']).exactOptional().meta({
      description:
        'Only present if moderators have frozen or suspended the account: `GET /users/me/decisions` says why.',
      examples: [],
    }),
  })
  .meta({ id: 'Me', description: 'A member’s own account, with private fields.' })

const loginKey = z
  .string()
  .length(43, messages.loginKeyInvalid)
  .regex(/^[\w-]+$/, messages.loginKeyInvalid)
  .meta({
    description: '256 random bits as base64url, made by the client and kept by it.',
    example: 'Zk1c3mYc0p8Q5m2m0zX1o3V7d9Jt4s6u8w0y2A4C6E8',
  })

/** As the widget of ALTCHA sends it: base64 of JSON. */
const proof = z
  .string()
  .max(proofMax)
  .meta({ description: 'Required if the site has `challenge` on: see `GET /auth/challenge`.', examples: [] })
const hex = z.string().regex(/^[0-9a-f]{1,128}$/)
const challengeParameters = z
  .object({
    algorithm: z.string().max(40).meta({ example: 'PBKDF2/SHA-256' }),
    cost: z.int().meta({ example: 5_000 }),
    expiresAt: z.int().meta({ description: 'In seconds since 1970.', example: 1_777_898_400 }),
    keyLength: z.int().meta({ example: 32 }),
    keyPrefix: hex.meta({ example: '3f9c2a7d5e3f9c2a7d5e3f9c2a7d5e3f' }),
    keySignature: hex.meta({ example: '9f9c2a7d5e' }),
    nonce: hex.meta({ example: '5f9c2a7d5e' }),
    salt: hex.meta({ example: '7f9c2a7d5e' }),
  })
  .meta({ description: 'As in version 2 of ALTCHA.' })
const challenge = z
  .object({ parameters: challengeParameters, signature: hex.meta({ example: '1f9c2a7d5e' }) })
  .meta({ id: 'Challenge', description: 'A proof of work, which a program solves in about a second.' })
export const getChallenge = { output: z.object({ challenge }) }
export const proofContent = z.object({
  challenge,
  solution: z.object({ counter: z.int().min(0), derivedKey: hex, time: z.number().optional() }),
})

export const register = {
  input: z.object({
    username,
    email,
    password: password(),
    profilePicture: uploadedImage.nullish(),
    loginKey: loginKey.optional().meta({
      description:
        'Lets this client log in without the password after the email is verified: see `POST /auth/first-login`.',
      examples: [],
    }),
    inviteCode: inviteCode
      .exactOptional()
      .meta({ description: 'Required if the sign-up mode of the site is `invite`.', examples: [] }),
    reason: text(signUpReasonMax)
      .exactOptional()
      .meta({ description: 'Why the applicant would like to join; for the mode `approval`.', examples: [] }),
    acceptsRules: z
      .boolean()
      .exactOptional()
      .meta({ description: 'Must be true if the site has rules.', examples: [] }),
    proof: proof.exactOptional(),
  }),
  output: z.object({ message: doneText, user: person }),
}

/** Compared, not stored; cleaned because Postgres rejects NUL even in a comparison. */
const givenEmail = line(320).meta({ format: 'email', example: 'reader@example.org' })

export const login = {
  input: z.object({ email: givenEmail, password: givenPassword }),
  output: z.object({
    token: z.string().meta({
      description: 'Send it as `Authorization: Bearer …`.',
      example: 'qk1c3mYc0p8Q5m2m0zX1o3V7d9Jt4s6u8w0y2A4C6E8',
    }),
    user: me,
  }),
}

export const logout = {
  output: z.object({
    message: doneText,
    logoutUrl: z.string().exactOptional().meta({
      description:
        'Present if the session began with a provider that offers it: open it to log out there too.',
      examples: [],
    }),
  }),
}

export const verifyEmail = {
  input: z.object({ token: mailedToken(messages.missingToken) }),
  output: message.extend({
    isPending: z
      .boolean()
      .meta({ description: 'Whether a moderator has yet to approve the account.', examples: [false] }),
  }),
}

export const firstLogin = {
  input: z.object({ token: mailedToken(), loginKey }),
  output: login.output,
}

export const resendVerification = { input: z.object({ email }), output: message }

export const forgotPassword = { input: z.object({ email }), output: message }

export const resetPassword = {
  input: z.object({ token: mailedToken(), newPassword: password(messages.newPasswordTooShort) }),
  output: message,
}

export const currentUser = { output: z.object({ user: me }) }

export const updateProfile = {
  input: z.object({
    username: username.optional(),
    email: email.optional(),
    password: givenPassword
      .optional()
      .meta({ description: 'The current password; required to change the email.' }),
    profilePicture: uploadedImage.nullable().optional(),
    bio: text(bioMax).optional().meta({ example: 'Slow films, thick books.' }),
  }),
  output: z.object({ message: doneText, user: me }),
}

/** Not needed in a session that was confirmed recently: members without a password have none to give. */
const ofCaller = givenPassword
  .exactOptional()
  .meta({ description: 'Not required after `POST /users/me/confirmation`.', example: 'six-or-more' })
export const updatePassword = {
  input: z.object({ currentPassword: ofCaller, newPassword: password(messages.newPasswordTooShort) }),
  output: message,
}

export const requestDeletion = {
  input: z.object({ currentPassword: ofCaller }),
  output: z.object({
    message: doneText,
    deletionAt: time.meta({ description: 'When the account will be deleted.' }),
  }),
}

export const cancelDeletion = { output: message }

export const keepAccount = { input: z.object({ token: mailedToken() }), output: message }

export const getDeletion = {
  output: z
    .object({
      deletionAt: deletionTime,
      removes: z.object({
        reviews: count.meta({ description: 'Ratings, with or without a text.' }),
        responses: count.meta({ description: 'Comments on these reviews, and reactions to them.' }),
        comments: count,
        reactions: count,
        diaryEntries: count,
        favorites: count,
        following: count,
        followers: count,
        uploads: count.meta({ description: 'Uploaded pictures. Those that titles show are kept.' }),
        imports: count,
      }),
      keeps: z.object({
        titles: count.meta({
          description: 'Titles that the member created. They stay without the name of their creator.',
        }),
      }),
    })
    .meta({ id: 'AccountDeletion', description: 'What the deletion of an account removes and keeps.' }),
}

export const userProfile = { input: z.object({ id }), output: z.object({ user: profile }) }

const sessionId = z.string().max(100).meta({ example: '9f86d081884c7d65' })

export const session = z
  .object({
    id: sessionId,
    createdAt: time,
    lastUsedAt: time.meta({ description: 'Accurate to the hour.' }),
    userAgent: z
      .string()
      .nullable()
      .meta({ description: 'The User-Agent header of the login.', example: 'Mozilla/5.0' }),
    isCurrent: z.boolean().meta({ description: 'Whether this request uses the token of this session.' }),
  })
  .meta({ id: 'Session', description: 'A login of a member on one client.' })

export const listSessions = { output: z.object({ sessions: z.array(session) }) }

export const endSession = { input: z.object({ id: sessionId }), output: message }

const tokenName = line(accessTokenNameMax).min(1, messages.nameRequired).meta({
  description: 'What the token is for; only its owner sees it.',
  example: 'Backup script',
})
const scope = z.enum(scopeNames).meta({ id: 'Scope', description: 'What an access token may do.' })

export const accessToken = z
  .object({
    id,
    name: z.string().meta({ example: 'Backup script' }),
    scopes: z.array(scope).meta({ example: ['read', 'diary:write'] }),
    createdAt: time,
    expiresAt: time.nullable().meta({ description: 'Null if the token does not expire.' }),
    lastUsedAt: time
      .nullable()
      .meta({ description: 'Accurate to five minutes; null if the token was never used.' }),
  })
  .meta({ id: 'AccessToken', description: 'A personal access token, without its secret.' })

export const createAccessToken = {
  input: z.object({
    name: tokenName,
    scopes: z
      .array(scope)
      .min(1, messages.scopeRequired)
      .max(scopeNames.length)
      .meta({ example: ['read', 'diary:write'] }),
    expiresAt: z.iso
      .datetime({ offset: true })
      .max(40)
      .nullish()
      .meta({
        description: `In the future, at most ${accessTokenYearsMax} years from now. If it is missing or null, the token does not expire.`,
        examples: [],
      }),
  }),
  output: z.object({
    token: accessToken,
    secret: z.string().meta({
      description: 'Send it as `Authorization: Bearer …`. It is not stored and not returned again.',
      example: 'mdl_qk1c3mYc0p8Q5m2m0zX1o3V7d9Jt4s6u8w0y2A4C6E8',
    }),
  }),
}

export const listAccessTokens = {
  output: z.object({
    tokens: z.array(accessToken).meta({ description: `Newest first; at most ${accessTokensMax}.` }),
  }),
}

export const revokeAccessToken = { input: z.object({ id }), output: message }
