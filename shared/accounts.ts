import { z } from 'zod'
import { messages } from './messages.ts'
import { email, givenPassword, id, image, message, password, uploadedImage, username } from './scalars.ts'

/** A member as others see them. */
export const profile = z
  .object({
    id,
    username: z.string(),
    profilePicture: image,
    reviewCount: z.int().meta({ description: 'Titles rated or reviewed.' }),
    followersCount: z.int(),
    followingCount: z.int(),
    email: z.string().optional().meta({ description: 'Shown to its owner alone.' }),
  })
  .meta({ id: 'Profile' })

/** A member as they see themselves. */
export const me = profile
  .extend({
    email: z.string(),
    pendingEmail: z.string().nullable().meta({ description: 'A new address that is not verified yet.' }),
  })
  .meta({ id: 'Me' })

export const register = {
  input: z.object({ username, email, password: password(), profilePicture: uploadedImage.nullish() }),
  output: z.object({
    message: z.string(),
    user: z.object({ id, username: z.string(), profilePicture: image }),
  }),
}

export const login = {
  input: z.object({ email: z.string().trim().max(320), password: givenPassword }),
  output: z.object({
    token: z.string().meta({ description: 'Send it as `Authorization: Bearer …`.' }),
    user: me,
  }),
}

export const logout = { output: message }

export const verifyEmail = { input: z.object({ token: z.string().max(200).optional() }), output: message }

export const resendVerification = { input: z.object({ email }), output: message }

export const forgotPassword = { input: z.object({ email }), output: message }

export const resetPassword = {
  input: z.object({ token: z.string().max(200), newPassword: password(messages.newPasswordTooShort) }),
  output: message,
}

export const currentUser = { output: z.object({ user: me }) }

export const updateProfile = {
  input: z.object({
    username: username.optional(),
    email: email.optional(),
    password: givenPassword
      .optional()
      .meta({ description: 'The current password; needed to change the email.' }),
    profilePicture: uploadedImage.nullable().optional(),
  }),
  output: z.object({ message: z.string(), user: me }),
}

export const updatePassword = {
  input: z.object({ currentPassword: givenPassword, newPassword: password(messages.newPasswordTooShort) }),
  output: message,
}

export const userProfile = { input: z.object({ id }), output: z.object({ user: profile }) }

export const session = z
  .object({
    id: z.string(),
    createdAt: z.string(),
    lastUsedAt: z.string(),
    userAgent: z.string().nullable(),
    isCurrent: z.boolean(),
  })
  .meta({ id: 'Session' })

export const listSessions = { output: z.object({ sessions: z.array(session) }) }

export const endSession = { input: z.object({ id: z.string().max(100) }), output: message }
