import type { Generated, Selectable } from 'kysely'
import type { DiaryVisibility } from '#shared/contracts/diary.ts'
import type { Standing } from '#shared/contracts/moderation.ts'
import type { NotificationType } from '#shared/contracts/notifications.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'
import type { DecisionAction } from '#shared/domain/moderation.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    users: {
      id: Generated<number>
      username: string
      username_folded: string
      /** The `confusableKey` of the username, unique. Null if an older account has the same key. */
      username_key: Generated<string | null>
      /** The folded username, which search compares. Not unique, since folding strips accents. */
      search_text: string
      email: string
      email_folded: string
      pending_email: string | null
      picture: string | null
      /** When the account became usable: with the verification of its email or, where moderators review accounts, their approval. */
      verified_at: string | null
      created_at: string
      review_count: Generated<number>
      follower_count: Generated<number>
      following_count: Generated<number>
      /** A member of the demo community; all of them are removed when it is turned off. */
      is_demo: Generated<number>
      /**
       * The time of the last write, on the clock of Postgres: read-your-writes with a replica depends on it. Null on SQLite,
       * and for members moved here from SQLite.
       */
      wrote_at: Generated<string | null>
      diary_visibility: Generated<DiaryVisibility>
      /** 1 if what the member writes is for accepted followers. */
      is_private: Generated<number>
      hides_from_suggestions: Generated<number>
      /** 1 if nobody else sees whom the member follows, and who follows them. */
      hides_follows: Generated<number>
      /** What the member says about themselves; may be blank. */
      bio: Generated<string>
      /** When the account will be deleted, unless the member cancels the deletion. */
      deletion_at: Generated<string | null>
      /** When the deletion began: what is left of the account is anonymous. */
      closed_at: Generated<string | null>
      /** The hash of the login key of the sign-up, until it has been used. */
      login_key_hash: Generated<string | null>
      /** What the decisions in force allow the member (server/moderation). */
      standing: Generated<Standing>
      role: Generated<Role>
      /** When the email of an account that waits for approval was verified. */
      pending_since: Generated<string | null>
      /** What an applicant wrote. */
      signup_reason: Generated<string | null>
      invited_by: Generated<number | null>
      /** The last day on which the member called, as `YYYY-MM-DD`. */
      seen_on: Generated<string | null>
      /** `is_public` of all texts of the member; 2 while it is being changed. See `areTextsPublic` of visibility.ts. */
      has_public_texts: Generated<number>
    }
    /** The number of members who called on each day. */
    active_counts: { day: string; count: number }
    /** The settings of the site that differ from their defaults (shared/contracts/site.ts). */
    settings: {
      key: string
      /** JSON. */
      value: string
      /** Increases with each change of any setting. */
      version: number
      updated_at: string
    }
    /** The challenges whose solutions were used, until they expire. */
    used_challenges: { signature: string; expires_at: string }
    sessions: {
      token_hash: string
      user_id: number
      created_at: string
      last_used_at: string
      expires_at: string
      user_agent: string | null
      /** SHA-256 of the cookie that opens the member's pages; null until there is one. */
      page_hash: string | null
    }
    /** The ways in which members prove who they are. Only server/accounts/credentials-store.ts reads and writes them. */
    credentials: {
      id: Generated<number>
      user_id: number
      /** Of a kind whose rows have no `identifier`, a member has one at most. */
      kind: 'password'
      /** What the credential is found by, unique among its kind; null if it is found by the member. */
      identifier: Generated<string | null>
      /** What the member calls it; may be blank. */
      name: Generated<string>
      /** The hash of a password. */
      secret: string | null
      /** JSON: what else the kind needs. */
      details: Generated<string>
      /** When the secret was set. */
      created_at: string
      last_used_at: Generated<string | null>
    }
    /** Personal access tokens. */
    api_tokens: {
      id: Generated<number>
      user_id: number
      token_hash: string
      name: string
      /** Separated by spaces. */
      scopes: string
      created_at: string
      /** Null if the token does not expire. */
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
    /** Mails sent to each mailbox within a window, and when the next may be sent; keyed by a hash of address and kind of mail. */
    mail_counts: { key: string; count: number; next_at: string; ends_at: string }
    /** The suffixes of each member's `search_text`, from the second character on. Maintained by triggers. */
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

export const meColumns = [...profileColumns, 'pending_email', 'deletion_at', 'role', 'standing'] as const

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

export type TokenPurpose = Tables['mail_tokens']['purpose']

/** The purpose of an emailed link that works once. */
export type LinkPurpose = Exclude<TokenPurpose, 'unsubscribe'>

/** `unsubscribeUrl` ends such emails without a login (RFC 8058). */
export type MailText = { subject: string; text: string; unsubscribeUrl?: string }

/** Which email is queued, and the values of its text (server/accounts/mails.ts). Times are ISO 8601 text. */
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

/** The payload of a task of the queue `mail`. Earlier versions queued texts. */
export type MailPayload = MailContent | MailText | { joined: (MailContent | MailText)[] }
export type Mail = { to: string } & (MailContent | MailText)

export const privateColumns = {
  users: ['email', 'email_folded', 'pending_email', 'deletion_at', 'signup_reason'],
  sessions: ['user_agent'],
  credentials: ['name', 'details'],
  api_tokens: ['name'],
  mail_tokens: [],
  mail_counts: [],
  name_parts: [],
  active_counts: [],
  settings: [],
  used_challenges: [],
} satisfies PrivateColumns
