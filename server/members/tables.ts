import type { Generated, Selectable } from 'kysely'
import type { DiaryVisibility } from '#shared/contracts/diary.ts'
import type { Standing } from '#shared/contracts/moderation.ts'
import type { NotificationType } from '#shared/contracts/notifications.ts'
import type { TitleNames } from '#shared/domain/languages.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'
import type { DecisionAction } from '#shared/domain/moderation.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    users: {
      id: Generated<number>
      username: string
      username_folded: string
      /** Unique. Null if an older account has the same key. */
      username_key: Generated<string | null>
      /** Folded, for search. Not unique, since folding strips accents. */
      search_text: string
      email: string
      email_folded: string
      pending_email: string | null
      picture: string | null
      /** Set when the email is verified or, where moderators review accounts, when they approve. */
      verified_at: string | null
      created_at: string
      review_count: Generated<number>
      follower_count: Generated<number>
      following_count: Generated<number>
      /** All members of the demo community are removed when it is turned off. */
      is_demo: Generated<number>
      /** On the clock of Postgres: read-your-writes with a replica depends on it. Null on SQLite, and for members moved here from SQLite. */
      wrote_at: Generated<string | null>
      diary_visibility: Generated<DiaryVisibility>
      /** 1: what the member writes is for accepted followers. */
      is_private: Generated<number>
      hides_from_suggestions: Generated<number>
      /** 1: nobody else sees follows and followers. */
      hides_follows: Generated<number>
      /** 0: screens offer whole stars. 1: halves, by choice of the member. 2: halves, turned on by an import. */
      half_stars: Generated<number>
      /** Null: the browser chooses. */
      language: string | null
      /** Of the browser at the last login. */
      login_language: Generated<string | null>
      title_names: Generated<TitleNames>
      /** Where the member watches; null: the browser says. */
      country: string | null
      /** JSON ids of `streaming_services`. */
      subscriptions: Generated<string>
      bio: Generated<string>
      /** When the account is deleted, unless the member cancels that. */
      deletion_at: Generated<string | null>
      /** What is left of the account is anonymous. */
      closed_at: Generated<string | null>
      /** The key that logs in once after the sign-up, until it has been used. */
      login_key_hash: Generated<string | null>
      /** From the decisions in force (server/moderation). */
      standing: Generated<Standing>
      role: Generated<Role>
      pending_since: Generated<string | null>
      signup_reason: Generated<string | null>
      invited_by: Generated<number | null>
      seen_on: Generated<string | null>
      /** `is_public` of all texts; 2 while it is being changed. See `areTextsPublic` of visibility.ts. */
      has_public_texts: Generated<number>
      /** 1 if the member has a second factor that is on, or a passkey. Only server/accounts/credentials-store.ts writes it. */
      has_factor: Generated<number>
      /** The role given by hand while groups of a provider give a higher one; null if the role was given by hand. */
      own_role: Generated<Role | null>
    }
    active_counts: { day: string; count: number }
    /** The settings that differ from their defaults (shared/contracts/site.ts). */
    settings: {
      key: string
      value: string
      version: number
      updated_at: string
    }
    /** Used solutions, until the challenges expire. */
    used_challenges: { signature: string; expires_at: string }
    sessions: {
      token_hash: string
      user_id: number
      created_at: string
      last_used_at: string
      expires_at: string
      user_agent: string | null
      /** SHA-256 of the cookie that opens the member's pages. */
      page_hash: string | null
      /** When the member last proved who they are again; null if they have not since the login. */
      confirmed_at: Generated<string | null>
      provider: Generated<string | null>
      /** Hashes, by which the provider ends sessions. */
      provider_subject: Generated<string | null>
      provider_sid: Generated<string | null>
    }
    /** Only server/accounts/credentials-store.ts reads and writes them. */
    credentials: {
      id: Generated<number>
      user_id: number
      /** Without an `identifier`, a member has one at most. */
      kind: CredentialKind
      /** Unique among its kind; null if the credential is found by the member. */
      identifier: Generated<string | null>
      name: Generated<string>
      /** The hash of a password; the secret of a TOTP, in base32; the public key of a passkey. */
      secret: string | null
      details: Generated<string>
      created_at: string
      last_used_at: Generated<string | null>
    }
    /** Pending steps of logins and of sign-in changes. Each can be used once. */
    sign_in_steps: {
      key_hash: string
      kind: StepKind
      user_id: number | null
      details: Generated<string>
      expires_at: string
    }
    api_tokens: {
      id: Generated<number>
      user_id: number
      token_hash: string
      name: string
      scopes: string
      created_at: string
      expires_at: string | null
      last_used_at: string | null
    }
    mail_tokens: {
      token_hash: string
      user_id: number
      purpose: 'verify' | 'change-email' | 'reset' | 'keep-account' | 'unsubscribe'
      expires_at: string
      used_at: string | null
    }
    /** Per mailbox, within a window; the key is a hash of address and kind of mail. */
    mail_counts: { key: string; count: number; next_at: string; ends_at: string }
    name_parts: { part: string; user_id: number }
  }
}

export type UserRow = Selectable<Tables['users']>

export const profileColumns = [
  'id',
  'username',
  'picture',
  'review_count',
  'follower_count',
  'following_count',
  'bio',
  'is_private',
  'email',
] as const

export const meColumns = [
  ...profileColumns,
  'half_stars',
  'pending_email',
  'deletion_at',
  'role',
  'standing',
] as const

export type ProfileRow = Pick<UserRow, (typeof profileColumns)[number]>

export type MeRow = Pick<UserRow, (typeof meColumns)[number]>

export type SessionRow = Pick<
  Selectable<Tables['sessions']>,
  'token_hash' | 'created_at' | 'last_used_at' | 'user_agent'
>

export type AccessTokenRow = Pick<
  Selectable<Tables['api_tokens']>,
  'id' | 'name' | 'scopes' | 'created_at' | 'expires_at' | 'last_used_at'
>

/** `logsIn`: sufficient for a login. `isFactor`: accepted where the settings require a second factor. */
export const credentialKinds = {
  password: { logsIn: true, isFactor: false },
  totp: { logsIn: false, isFactor: true },
  'recovery-code': { logsIn: false, isFactor: false },
  passkey: { logsIn: true, isFactor: true },
  provider: { logsIn: true, isFactor: false },
  calendar: { logsIn: false, isFactor: false },
} as const

export type CredentialKind = keyof typeof credentialKinds

/**
 * `second-factor`: a login whose password was correct. `totp`: a secret that a code has not confirmed yet. `login-link`: a link of the host.
 * Of a provider: `oidc-begin` is what a member has asked for, `oidc-state` a login that is at the provider, `oidc-result` one that has come
 * back, `oidc-link` one that waits for the password of the account.
 */
export type StepKind =
  | 'second-factor'
  | 'totp'
  | 'login-link'
  | 'oidc-begin'
  | 'oidc-state'
  | 'oidc-result'
  | 'oidc-link'

export type TokenPurpose = Tables['mail_tokens']['purpose']

export type LinkPurpose = Exclude<TokenPurpose, 'unsubscribe'>

/** `unsubscribeUrl` works without a login (RFC 8058). */
export type MailText = { subject: string; text: string; unsubscribeUrl?: string }

/** Changes to sign-in methods, and uses of them, that the member is notified about. */
export type SignInChange =
  | 'factor-on'
  | 'factor-off'
  | 'codes-renewed'
  | 'code-used'
  | 'passkey-added'
  | 'passkey-removed'
  | 'link-used'
  | 'provider-linked'
  | 'provider-unlinked'

/** The values of a text in server/accounts/mails.ts. Times are ISO 8601 text. */
export type MailContent =
  | { mail: LinkPurpose; token: string; expiresAt: string }
  | {
      mail:
        | 'email-change'
        | 'access-token'
        | 'webhook'
        | 'verified'
        | 'pending'
        | 'approval'
        | 'rejection'
        | 'test'
    }
  | { mail: 'sign-in'; change: SignInChange }
  /** `rules`: the texts of the broken rules. */
  | {
      mail: 'decision'
      decisionId: number
      action: Exclude<DecisionAction, 'dismiss'>
      rules: readonly string[]
      until: string | null
    }
  | { mail: 'undone' | 'answered'; decisionId: number }
  | { mail: 'report'; isRemoved: boolean }
  | { mail: 'digest'; token: string; lines: { type: NotificationType; count: number; actors: number }[] }

export type MailPayload = MailContent | MailText | { joined: (MailContent | MailText)[] }
export type Mail = { to: string } & (MailContent | MailText)

export const privateColumns = {
  users: [
    'email',
    'email_folded',
    'pending_email',
    'deletion_at',
    'signup_reason',
    'country',
    'subscriptions',
  ],
  sessions: ['user_agent'],
  credentials: ['name', 'details'],
  sign_in_steps: ['details'],
  api_tokens: ['name'],
  mail_tokens: [],
  mail_counts: [],
  name_parts: [],
  active_counts: [],
  settings: [],
  used_challenges: [],
} satisfies PrivateColumns
