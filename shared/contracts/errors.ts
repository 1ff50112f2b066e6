import { z } from 'zod'
import { messages } from '#shared/texts/messages.ts'

export const errorResponses = {
  400: {
    name: 'BadRequest',
    description: 'The request is not valid. If fields are invalid, `issues` lists them.',
    example: {
      message: 'limit: Too big: expected number to be <=100',
      code: 'BAD_REQUEST',
      issues: [{ path: ['limit'], message: 'limit: Too big: expected number to be <=100' }],
    },
  },
  401: {
    name: 'Unauthorized',
    description: 'The token is missing, invalid or expired. At a login: the email or the password is wrong.',
    example: { message: messages.pleaseLogIn, code: 'UNAUTHORIZED' },
  },
  403: {
    name: 'Forbidden',
    description:
      'The member may not do this, the current password is wrong, or the access token lacks a scope, which `WWW-Authenticate` names.',
    example: { message: messages.reviewNotYours, code: 'FORBIDDEN' },
  },
  404: {
    name: 'NotFound',
    description: 'The resource does not exist.',
    example: { message: messages.notFound, code: 'NOT_FOUND' },
  },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path has no such method. `Allow` lists those that it has.',
    example: { message: messages.methodNotSupported, code: 'METHOD_NOT_SUPPORTED' },
  },
  409: {
    name: 'Conflict',
    description:
      'The username or the email is already taken, the diary already has an entry of this status, an import is in another state, or a request with the same `Idempotency-Key` is running (with `Retry-After`) or succeeded, but its response is no longer available.',
    example: { message: messages.usernameTaken, code: 'CONFLICT' },
  },
  408: {
    name: 'RequestTimeout',
    description: 'The body paused for ten seconds, or did not arrive within thirty.',
    example: { message: messages.uploadTooSlow, code: 'TIMEOUT' },
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The resource was changed since the response whose `ETag` was sent as `If-Match`.',
    example: { message: messages.preconditionFailed, code: 'PRECONDITION_FAILED' },
  },
  413: {
    name: 'PayloadTooLarge',
    description:
      'The body exceeds the limit: what the fields of the call can have and at least 4 KB, 5 MB for a picture, or 32 MB and 100,000 lines for an import.',
    example: { message: messages.bodyTooLarge, code: 'PAYLOAD_TOO_LARGE' },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The content type of the body is not supported.',
    example: { message: messages.wrongContentType, code: 'UNSUPPORTED_MEDIA_TYPE' },
  },
  422: {
    name: 'UnprocessableContent',
    description: 'The `Idempotency-Key` was used for a different request.',
    example: { message: messages.idempotencyKeyReused, code: 'UNPROCESSABLE_CONTENT' },
  },
  429: {
    name: 'TooManyRequests',
    description: 'A rate limit is exceeded. `Retry-After` says when to try again.',
    example: { message: messages.tooManyRequests, code: 'TOO_MANY_REQUESTS' },
  },
  500: {
    name: 'InternalServerError',
    description: 'The server failed. `requestId` identifies the request in the server’s log.',
    example: {
      message: messages.somethingWentWrong,
      code: 'INTERNAL_SERVER_ERROR',
      requestId: '3f2b8c1e-5d4a-4f6b-9a7c-2e1d0c9b8a7f',
    },
  },
  501: {
    name: 'NotImplemented',
    description: 'The server does not know the `format`.',
    example: { message: messages.oembedFormat, code: 'NOT_IMPLEMENTED' },
  },
  502: {
    name: 'BadGateway',
    description: 'The external source returned an invalid response.',
    example: { message: messages.searchFailed, code: 'BAD_GATEWAY' },
  },
  503: {
    name: 'ServiceUnavailable',
    description:
      'An external source is unavailable, or this server is overloaded, being upgraded or shutting down.',
    example: { message: messages.busy, code: 'SERVICE_UNAVAILABLE' },
  },
} as const

const errorReasons = {
  USERNAME_TAKEN: 'The username, or one that looks like it, is taken (409).',
  EMAIL_TAKEN: 'Another account has this email (409).',
  CREDENTIALS_WRONG: 'The email or the password is wrong (401, at a login).',
  SECOND_FACTOR_REQUIRED:
    'The password is correct, and a code is required: send it with the `ticket` to `POST /auth/second-factor` (401, at a login). The site requires a second factor or a passkey of its moderators and admins (403).',
  CODE_WRONG: 'The code is wrong or was used before (401, at a login; 403).',
  TICKET_EXPIRED:
    'The ticket, code or login link has expired, was used, or belongs to another browser (401).',
  LINK_REQUIRED:
    'The address that the provider vouches for belongs to an account: send its password with the `ticket` to `POST /auth/oidc/link` (401).',
  RULES_NOT_ACCEPTED:
    'A new account must accept the rules of the site: send the `ticket` as `code`, with `acceptsRules` (401).',
  SIGN_UP_CLOSED: 'Logins with this provider create no account (403).',
  LINKED_TO_ANOTHER: 'The account of the provider is linked to another member (409).',
  LINKED_ALREADY: 'The member has linked another account of this provider (409).',
  PASSWORDS_OFF: 'Members of this site log in with a provider, not with a password (403).',
  PROVIDER_REFUSED:
    'The login with the provider proves nothing: it took too long, or is of another account (403).',
  PASSKEY_REFUSED: 'The passkey proves nothing: it took too long, or is of another site (403).',
  PASSKEY_UNKNOWN: 'No account has this passkey: it was removed (403).',
  LAST_WAY_IN: 'It is the only way in which the member can log in (409).',
  CONFIRMATION_REQUIRED: 'The caller must confirm who they are first: `POST /users/me/confirmation` (403).',
  EMAIL_UNVERIFIED: 'The email is not verified yet (403, at a login).',
  PASSWORD_WRONG: 'The current password is wrong (403).',
  INSUFFICIENT_SCOPE: 'The access token lacks the scope that the message names (403).',
  LINK_USED:
    'The emailed link has done its work before: the email is verified, the password was set, or the account stays (400). Only the holder of its token learns this.',
  NOTHING_TO_RESTORE: 'No rating of the caller was rounded by an import (409).',
  RANGE_TOO_LONG: 'The range of a calendar has more than 366 days (400).',
  EPISODES_UNKNOWN: 'No episodes of the TV show are known (409).',
  EPISODES_MISSING: 'Episodes are not played, so the pass is not finished (409).',
  ENTRY_OVER: 'The diary entry is finished or dropped (409).',
  EPISODES_ONLY: 'The progress of a TV show follows from its plays (409).',
  BATCH_UNDONE: 'The batch was undone before (409).',
  CURSOR_EXPIRED: 'Some changes after this cursor have been removed: read the lists again (400).',
  ACCOUNT_FROZEN: 'A moderator has frozen the account: it reads, but does not write (403).',
  ACCOUNT_SUSPENDED:
    'A moderator has suspended the account: it only reads the decision, appeals, exports and deletes itself (403).',
  CONTENT_REMOVED: 'A moderator has removed it (403).',
  LOGIN_REQUIRED: 'Visitors may not read this site (401).',
  INVITE_REQUIRED: 'The registration requires an invite (403).',
  CHALLENGE_REQUIRED:
    'The registration requires the solution of a challenge that was not used yet: see `GET /auth/challenge` (403).',
  REGISTRATION_CLOSED: 'Nobody can register (403).',
  APPROVAL_PENDING:
    'A moderator has not approved the account yet (403, at a login; 400, for a link that has verified its email before).',
  PROFILE_PRIVATE: 'The profile is closed to the caller (403).',
  SESSION_REQUIRED: 'The call requires a login; an access token is not enough (403).',
} as const
export type ErrorReason = keyof typeof errorReasons

export function errorRefs(statuses: number[]): Record<string, { $ref: string }> {
  const sorted = [...new Set(statuses)].sort((a, b) => a - b) as (keyof typeof errorResponses)[]
  return Object.fromEntries(
    sorted.map((status) => [status, { $ref: `#/components/responses/${errorResponses[status].name}` }]),
  )
}

export const apiError = z
  .object({
    message: z.string().meta({ description: 'A message to show to the user.' }),
    code: z
      .enum(Object.values(errorResponses).map(({ example }) => example.code))
      .meta({ description: 'A constant to branch on. It corresponds to the status.' }),
    reason: z
      .enum(Object.keys(errorReasons) as ErrorReason[])
      .optional()
      .meta({
        description: `Distinguishes errors of the same code. ${Object.entries(errorReasons)
          .map(([reason, description]) => `\`${reason}\`: ${description}`)
          .join(' ')}`,
        examples: [],
      }),
    ticket: z.string().optional().meta({
      description:
        'Present if the reason of a login is `SECOND_FACTOR_REQUIRED`, `LINK_REQUIRED` or `RULES_NOT_ACCEPTED`.',
      examples: [],
    }),
    email: z.string().optional().meta({
      description: 'The address of the account. Present if the reason is `LINK_REQUIRED`.',
      examples: [],
    }),
    provider: z.string().optional().meta({
      description: 'The name of the provider, to show. Present if the reason is `LINK_REQUIRED`.',
      examples: [],
    }),
    issues: z
      .array(
        z.object({
          path: z
            .array(z.union([z.string(), z.int()]))
            .meta({ description: 'The path of the field; empty if the whole request is invalid.' }),
          message: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'The invalid fields. Present with status 400 only.' }),
    requestId: z
      .string()
      .optional()
      .meta({ description: 'Identifies the request in the server’s log. Present with status 500 only.' }),
  })
  .meta({ id: 'ApiError', description: 'The body of every error response.' })
