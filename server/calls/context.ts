import type { FastifyBaseLogger } from 'fastify'
import type { Standing } from '#shared/contracts/moderation.ts'
import type { TitleNames } from '#shared/domain/languages.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { Scope } from '#shared/domain/scopes.ts'
import type { Mailer } from '#server/accounts/mailer.ts'
import type { Sources } from '#server/titles/sources/source.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/open.ts'
import type { Feature } from '#server/feature.ts'
import type { Replica } from '#server/db/replica.ts'
import type { Imports } from '#server/imports/work.ts'
import type { Disk } from '#server/process/disk.ts'
import type { Live } from '#server/reviews/live.ts'
import type { Translator, Translators } from '#server/text/translator.ts'
import type { UploadStorage } from '#server/uploads/storage.ts'

export type Member = {
  id: number
  username: string
  sessionHash: string
  /** Null for a login session, which may do everything. */
  scopes: readonly Scope[] | null
  /** As far as the scopes and the standing allow. */
  role: Role
  standing: Standing
  /** Which names of titles pages show; local ones if it is missing. */
  titleNames?: TitleNames
  /** Whether the member has a second factor or a passkey; not read for access tokens, which need none. */
  hasFactor?: boolean
  /** See `users.wrote_at`. */
  wroteAt?: string | null
  language?: string | null
}

/** Opened once per process. */
export type Services = {
  config: Config
  db: Db
  replica?: Replica | undefined
  mailer: Mailer
  imports: Imports
  sources: Sources
  live: Live
  storage: UploadStorage
  disk: Disk
  features: readonly Feature[]
  translators: Translators
}

/** server/http/limits/rate-limit.ts has the numbers. */
export type LimitName =
  | 'general'
  | 'login'
  | 'guessFromAddress'
  | 'guessFromAnywhere'
  | 'register'
  | 'signUp'
  | 'mail'
  | 'mailbox'
  | 'write'
  | 'text'
  | 'plays'
  | 'search'
  | 'upload'
  | 'export'
  | 'import'
  | 'longPeriod'
  | 'render'
  | 'memberPage'
  | 'sharePicture'
  | 'calendarFile'
  | 'offers'

export type MemberContext = Context & { member: Member }

export type Context = Services & {
  now: Date
  /** If `db` is a replica. */
  primary?: Db | undefined
  member: Member | null
  log: FastifyBaseLogger
  requestId: string
  userAgent: string | null
  /** That the browser asks for, and the site offers. */
  browserLanguage?: (() => string | undefined) | undefined
  /** Of the language that the browser asks for first. */
  browserCountry?: (() => string | undefined) | undefined
  /** For the texts that the call returns; English if undefined. */
  texts?: Translator | undefined
  address: string
  /** The cookie that binds the steps of a login with a provider to a browser. */
  browserKey?: string | undefined
  /** The address has recently sent a valid token, with this call or another. */
  isFromMember?: boolean | undefined
  /**
   * Of a page, and of a call from one: replaces the names and descriptions of titles in an output by the ones that the reader sees.
   */
  showNames?:
    | ((ctx: Pick<Context, 'db' | 'member'>, path: string, output: unknown) => Promise<void>)
    | undefined
  isForPage?: true | undefined
  isAdmitted?: true | undefined
  /**
   * Counts `cost` (1 by default; bytes for `text`) against a rate limit of the address, or of `account`: a member’s id or an email. Throws
   * TOO_MANY_REQUESTS. With a transaction, the count is exact, and a rollback takes it back; further calls of the account wait for its end.
   */
  limit: (name: LimitName, account?: string, cost?: number, trx?: Db) => Promise<void>
  /** Password guesses from other addresses no longer lock this address out of the account. */
  recordLogin: (account: string) => void
  /** Of a REST call, after all other checks. Returns the database to write to. Throws if the key was used before. */
  claimKey?: ((member: Pick<Member, 'id'>) => Promise<Db>) | undefined
  /** Of a REST call; see `checkIfMatch`. */
  ifMatch?: string | undefined
  /**
   * Set by the procedure: `status` overrides its meta; `pageKey` is the new cookie of the member's pages, and null removes it; `browserKey`
   * is the cookie of that name. An object, because middlewares copy the context.
   */
  response: { status?: number; pageKey?: string | null; browserKey?: string }
}
