import type { FastifyBaseLogger } from 'fastify'
import type { Standing } from '#shared/contracts/moderation.ts'
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
import type { UploadStorage } from '#server/uploads/storage.ts'

/** The calling member. */
export type Member = {
  id: number
  username: string
  /** SHA-256 of the token of the session, or of the access token. */
  sessionHash: string
  /** The scopes of the access token; null for a login session, which may do everything. */
  scopes: readonly Scope[] | null
  /** The role that the call may use: the member’s role at the time of the call, as far as the scopes and the standing allow. */
  role: Role
  standing: Standing
  /** See `users.wrote_at`. */
  wroteAt?: string | null
}

/** The services that a process opens once and all calls use. */
export type Services = {
  config: Config
  db: Db
  replica?: Replica | undefined
  mailer: Mailer
  imports: Imports
  sources: Sources
  live: Live
  storage: UploadStorage
  /** The disk of the database. */
  disk: Disk
  features: readonly Feature[]
}

/** The rate limits; server/http/limits/rate-limit.ts has their numbers. */
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
  | 'search'
  | 'upload'
  | 'export'
  | 'import'
  | 'longPeriod'
  | 'render'
  | 'memberPage'
  | 'sharePicture'

export type Context = Services & {
  now: Date
  /** The primary database, if `db` is a replica. */
  primary?: Db | undefined
  /** Null for a visitor. */
  member: Member | null
  log: FastifyBaseLogger
  requestId: string
  userAgent: string | null
  /** The caller’s IP address. */
  address: string
  /** Whether a member called from this address recently, with this call or another. */
  isFromMember?: boolean | undefined
  /** Whether the call is for a page, which only reads. */
  isForPage?: true | undefined
  /** Whether `admit` has already admitted the call. */
  isAdmitted?: true | undefined
  /** Counts the call against a rate limit; throws TOO_MANY_REQUESTS. `account` counts a member or an email instead of the address. `cost` is the number of calls that it counts as. */
  limit: (name: LimitName, account?: string, cost?: number) => Promise<void>
  /** Records a successful login: password guesses from other addresses no longer lock this address out of the account. */
  recordLogin: (account: string) => void
  /**
   * Claims the `Idempotency-Key` of a REST call, after all other checks. Returns the database to write to. Throws if the key was used
   * before.
   */
  claimKey?: ((member: Pick<Member, 'id'>) => Promise<Db>) | undefined
  /** The `If-Match` header of a REST call; see `checkIfMatch`. */
  ifMatch?: string | undefined
  /**
   * Set by the procedure for its response: `status` overrides the status in its meta of a REST call; `pageKey` is the new value of the
   * cookie that opens the member's pages, and null removes it. An object, because middlewares copy the context.
   */
  response: { status?: number; pageKey?: string | null }
}
