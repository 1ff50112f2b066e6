import type { Generated, Insertable, Selectable } from 'kysely'
import type { ChangeArea } from '#shared/contracts/features.ts'
import type { DiaryVisibility } from '#shared/contracts/diary.ts'
import type { ImportService } from '#shared/domain/import-formats.ts'
import type {
  ImportLineState,
  ImportListState,
  ImportState,
  ImportTitleState,
  RecordLineState,
} from '#shared/contracts/imports.ts'
import type { DiaryStatus, IdSource, Kind } from '#shared/domain/media.ts'
import type {
  DecisionAction,
  DecisionEnd,
  ReportCategory,
  ReportOutcome,
  ReportTarget,
  Standing,
} from '#shared/contracts/moderation.ts'
import type { NotificationTarget, NotificationType } from '#shared/contracts/notifications.ts'
import { byFlag, type FlagColumn } from '#shared/domain/review-flags.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { WebhookEvent } from '#shared/contracts/webhooks.ts'
import type { ListVisibility } from '#shared/domain/visibilities.ts'

/** Kinds of background work. */
export const queueNames = [
  'mail',
  'webhooks',
  'imports',
  'deletions',
  'lists',
  'moderation',
  'notifications',
  'jobs',
] as const
export type QueueName = (typeof queueNames)[number]

/** Times are ISO 8601 text in UTC; flags are 0 or 1; ids start at 1. */
export type Tables = {
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
  /** Random keys of this site, by name. */
  secrets: { name: string; value: string }
  /** The challenges whose solutions were used, until they expire. */
  used_challenges: { signature: string; expires_at: string }
  /** The last success and failure of each external source, at most a few minutes old. */
  source_calls: {
    source: string
    succeeded_at: string | null
    failed_at: string | null
    /** Of the last failure, for display. */
    error: string | null
  }
  /** Codes that make the caller the first admin; SHA-256. */
  setup_codes: { code_hash: string; expires_at: string }
  invites: {
    id: Generated<number>
    code: string
    created_by: number
    max_uses: number
    uses: Generated<number>
    note: Generated<string>
    created_at: string
    expires_at: string
  }
  /** What moderators and admins did. Triggers refuse changes and deletions. Ids are not foreign keys: entries outlive accounts. */
  audit: {
    id: Generated<number>
    /** Null for a command on the server. */
    actor_id: number | null
    /** The username at that time, or the command. */
    actor: string
    action: string
    target_type: string
    target_id: number | null
    /** The name of the target at that time. */
    target: Generated<string>
    /** What changed, as JSON. */
    before: string | null
    after: string | null
    reason: Generated<string>
    at: string
  }
  sessions: {
    token_hash: string
    user_id: number
    created_at: string
    last_used_at: string
    expires_at: string
    user_agent: string | null
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
  /** Requests with an `Idempotency-Key`, and their responses, for a day. */
  idempotency_keys: {
    user_id: number
    key_hash: string
    /** SHA-256 of the call and its body. */
    request_hash: string
    /** Identifies the request that holds the claim. */
    attempt: string
    claimed_at: string
    /** 1 if a transaction of the request was committed. */
    is_applied: Generated<number>
    /** Null until the request has responded. */
    status: number | null
    /** Null until the request has responded, and if its response is not kept. */
    body: string | null
  }
  mail_tokens: {
    token_hash: string
    user_id: number
    purpose: 'verify' | 'change-email' | 'reset' | 'keep-account' | 'unsubscribe'
    expires_at: string
    used_at: string | null
  }
  /** Background work that is waiting, running or given up (server/process/queue.ts). */
  tasks: {
    id: Generated<number>
    queue: QueueName
    /** Unique in the queue. Null if the queue may contain the same work more than once. */
    key: Generated<string | null>
    /** The member or other party that the task is for; owners take turns. */
    owner: Generated<string>
    /** Lower ones first. */
    priority: Generated<number>
    payload: Generated<string>
    /** Claims since the task was first due. */
    attempts: Generated<number>
    /** When the task is due; the end of the lease if it is claimed; null if it was given up. */
    due_at: string | null
    /** When it was due before any retry. */
    first_due_at: string
    /** Identifies the claim of a process. */
    claim: Generated<string | null>
  }
  /** Mails sent to each mailbox within a window, and when the next may be sent; keyed by a hash of address and kind of mail. */
  mail_counts: { key: string; count: number; next_at: string; ends_at: string }
  /** The titles of the catalogue, of all kinds. */
  media: {
    id: Generated<number>
    kind: Kind
    name: string
    /** The folded name and creators, which search compares; see `titleColumns`. */
    search_text: string
    name_folded: string
    /** See `nameKey`. */
    name_key: Generated<string>
    overview: string | null
    tagline: string | null
    image: string | null
    backdrop: string | null
    release_date: string | null
    release_year: number | null
    /** Minutes. */
    runtime: number | null
    page_count: number | null
    /** `TitleDetails` as JSON. */
    details: string
    /** The first of the sources of its fields, in the order of `sourceNames`. Null if a member created the title. */
    source: string | null
    /** The sources of the fields that come from another source, as JSON: `{"overview":"igdb"}`. */
    field_sources: string | null
    fetched_at: string | null
    created_by: number | null
    created_at: string
    /** Popularity at the external source; sorts titles without ratings. */
    popularity: Generated<number>
    rating_count: Generated<number>
    rating_sum: Generated<number>
    stars_1: Generated<number>
    stars_2: Generated<number>
    stars_3: Generated<number>
    stars_4: Generated<number>
    stars_5: Generated<number>
    /** The number of reviews with a text: the total of the review list. */
    text_count: Generated<number>
    /** When a decision removed the title. */
    removed_at: Generated<string | null>
  }
  external_ids: { source: IdSource; external_id: string; media_id: number }
  /** Titles that tell the same story: a book, its film, its game. */
  story_titles: { story: string; media_id: number }
  reviews: {
    id: Generated<number>
    media_id: number
    kind: Kind
    user_id: number
    rating: number
    /** Blank if the member only rated. */
    text: string
    /** The rating on the scale of the service that it was imported from, as in `4.5/5`; null once the member changes the stars. */
    rating_given: Generated<string | null>
    created_at: string
    updated_at: string
    rated_at: string
    like_count: Generated<number>
    dislike_count: Generated<number>
    comment_count: Generated<number>
    /** The text of a removed review, whose `text` is blank. */
    removed_text: Generated<string | null>
    /** What the author says, while a decision marks the review as a spoiler. */
    own_has_spoilers: Generated<number | null>
  } & Record<FlagColumn, Generated<number>>
  /** Ratings of each title per span of `days` days (1, 8 or 64). `start` counts days since 1970 and is a multiple of `days`. */
  rating_counts: { media_id: number; kind: Kind; days: number; start: number; count: number; sum: number }
  /** The suffixes of each member's `search_text`, from the second character on. Maintained by triggers. */
  name_parts: { part: string; user_id: number }
  /** The number of titles of each kind, in several rows. Maintained by triggers. */
  title_counts: { kind: Kind; shard: number; count: number }
  /**
   * The genres of each title, and a row with a blank genre for each title. `decade` is 1990 for 1990 to 1999, and 0 if the year
   * is unknown. Maintained by triggers.
   */
  title_facets: { media_id: number; genre: string; kind: Kind; decade: number }
  /** The number of rows of `title_facets`, in several rows. Maintained by triggers. */
  facet_counts: { genre: string; kind: Kind; decade: number; shard: number; count: number }
  reactions: { review_id: number; user_id: number; reaction: 'like' | 'dislike' }
  comments: {
    id: Generated<number>
    review_id: number
    user_id: number
    text: string
    has_spoilers: Generated<number>
    created_at: string
    /** As in `reviews`. */
    removed_text: Generated<string | null>
    own_has_spoilers: Generated<number | null>
  }
  /** Removed reviews whose ratings do not count either. They are in no other table. */
  removed_reviews: {
    review_id: number
    user_id: number
    media_id: number
    created_at: string
    /** The row of `reviews`, as JSON. */
    row: string
  }
  /** The comments and reactions of those reviews. */
  removed_rows: {
    id: Generated<number>
    review_id: number
    user_id: number
    table_name: 'comments' | 'reactions'
    /** As JSON. */
    row: string
  }
  /** Removed pictures of members, and where each was shown. The column there is null. */
  removed_pictures: {
    id: Generated<number>
    user_id: number
    path: string
    table_name: 'users' | 'media'
    column_name: 'picture' | 'image' | 'backdrop'
    row_id: number
  }
  /** The reports about one target, and what was decided. */
  cases: {
    id: Generated<number>
    target_type: ReportTarget
    target_id: number
    /** The author, or the member themselves. */
    user_id: number | null
    /** `Snapshot` as JSON: the target when the case was opened. */
    snapshot: string
    /** At most one case of a target is open. */
    is_open: Generated<number>
    assignee_id: Generated<number | null>
    report_count: Generated<number>
    opened_at: string
    closed_at: Generated<string | null>
  }
  reports: {
    id: Generated<number>
    case_id: number
    user_id: number | null
    category: ReportCategory
    /** The texts of the broken rules, as JSON. */
    rules: string
    comment: string
    created_at: string
    /** Null until the case is decided. */
    outcome: Generated<ReportOutcome | null>
    closed_at: Generated<string | null>
  }
  decisions: {
    id: Generated<number>
    case_id: number
    target_type: ReportTarget
    target_id: number
    /** The member whom it concerns. */
    user_id: number | null
    moderator_id: number | null
    action: DecisionAction
    /** The texts of the broken rules, as JSON. */
    rules: string
    reason: string
    /** When it ends by itself. */
    until: string | null
    /** `removeAll` removes what was written from this time on. */
    since: string | null
    keeps_rating: Generated<number>
    created_at: string
    ended_at: Generated<string | null>
    end_reason: Generated<DecisionEnd | null>
    /** When what it removed was destroyed. */
    final_at: Generated<string | null>
    /** When the member confirmed to have read it. */
    confirmed_at: Generated<string | null>
    appeal: Generated<string | null>
    appealed_at: Generated<string | null>
    answer: Generated<string | null>
    answered_at: Generated<string | null>
    accepts: Generated<number | null>
  }
  follows: { follower_id: number; followee_id: number; created_at: string }
  /** Requests to follow private members. */
  follow_requests: { follower_id: number; followee_id: number; created_at: string }
  /** `user_id` has blocked `member_id`. There is no follow between them. */
  blocks: { user_id: number; member_id: number; created_at: string }
  mutes: { user_id: number; member_id: number; created_at: string }
  /** Sorted by `place`, then by time, both descending. `place` is 0 until the member puts the favorites of the kind in order. */
  favorites: { user_id: number; media_id: number; kind: Kind; created_at: string; place: Generated<number> }
  /**
   * An entry for each time that a member watched, read or played a title, or wants to. At most one `want` and one `started` or
   * `paused` per title.
   */
  diary_entries: {
    id: Generated<number>
    user_id: number
    media_id: number
    kind: Kind
    status: DiaryStatus
    /** A calendar date without a time zone: `YYYY-MM-DD`, or `YYYY-MM` or `YYYY` if the exact date is unknown. */
    started_on: string | null
    finished_on: string | null
    /** Set by the member: the first entry of a title can be one too. */
    is_again: Generated<number>
    /** The rating at that time on another scale, as in `4.5/5`. */
    rating_given: Generated<string | null>
    /** Read by the owner only. */
    text: Generated<string>
    /** Identifies the entry at the service it was imported from. */
    origin: Generated<string | null>
    created_at: string
    updated_at: string
  }
  lists: {
    id: Generated<number>
    user_id: number
    title: string
    description: Generated<string>
    is_ranked: Generated<number>
    visibility: ListVisibility
    /** A JSON array. */
    tags: Generated<string>
    /** The key of the link; null before the first one. */
    link_key: string | null
    item_count: Generated<number>
    like_count: Generated<number>
    copied_from: number | null
    created_at: string
    /** When it or its titles last changed. */
    updated_at: string
    /** When a decision removed the list. */
    removed_at: Generated<string | null>
  }
  list_items: {
    list_id: number
    media_id: number
    kind: Kind
    /** Sorts the titles of a list, in byte order; ties are sorted by title. See `placeBetween`. */
    place: string
    note: Generated<string>
    added_by: number | null
    added_at: string
  }
  list_likes: { list_id: number; user_id: number; created_at: string }
  /** `link_key`: the key of the link with which the member found the list; it opens the list as long as that is its key. */
  list_follows: { list_id: number; user_id: number; created_at: string; link_key: string | null }
  /** `accepted_at` is null while the member is only invited. */
  list_editors: { list_id: number; user_id: number; invited_at: string; accepted_at: string | null }
  /** The folded words of the title and the tags of each list, and its whole tags with a `#`. */
  list_words: { word: string; list_id: number }
  /** What a member has read of their notifications. Locked by each change of them, so that their times are in the order of the commits. */
  inboxes: {
    user_id: number
    /** The time of the last notification. */
    last_at: Generated<string>
    /** Notifications up to this time are read; those up to `mailed_to` were in a digest. */
    read_to: Generated<string>
    mailed_to: Generated<string>
    /** When the next digest is due; null if none is. */
    digest_at: Generated<string | null>
    /** The settings that differ from their defaults, as JSON. */
    settings: Generated<string>
  }
  /** One row per member, type, target and day. */
  notifications: {
    id: Generated<number>
    user_id: number
    type: NotificationType
    /** Blank and 0 if it is about the actors only. */
    target_type: Generated<NotificationTarget | ''>
    target_id: Generated<number>
    day: string
    /** The time of the last event, unique among those of a member. */
    at: string
    /** The ids of the last actors, as JSON, the last one first. */
    actors: Generated<string>
    actor_count: Generated<number>
  }
  /** The actors of each notification. */
  notification_actors: { notification_id: number; actor_id: number; at: string }
  imports: {
    id: Generated<number>
    user_id: number
    service: ImportService
    file_name: string
    /** SHA-256 of the file. */
    file_hash: string
    /** `ImportOptions` as JSON. */
    options: string
    /** `ImportProgress` as JSON. */
    facts: string
    state: ImportState
    /** The state in which a stopped import resumes. */
    resumes: ImportState | null
    total: Generated<number>
    processed: Generated<number>
    /** The external source that asked for a pause; `disk` or `quota` during a pause for lack of space. */
    waiting_for: string | null
    /** When its task is due, such as the end of a pause; null without a task. */
    next_at: string | null
    /** About how many bytes its lines, titles and changes take in the database. */
    bytes: Generated<number>
    created_at: string
    updated_at: string
    applied_at: string | null
    undone_at: string | null
  }
  /** The titles of an import; the lines of one title are one plan. */
  import_titles: {
    id: Generated<number>
    import_id: number
    /** Joins the lines of a title: an id, or the kind with the folded name, year and first author. */
    title_key: string
    kind: Kind
    name: string
    /** The folded name and authors, which the search of the list uses. */
    search_text: string
    /** `TitlePlan` as JSON; see `pack`. */
    plan: string
    state: ImportTitleState
    /** The matched title, if any, and the reason, as JSON; null before matching. */
    matched: string | null
    /** The verdict of each part and what applying the title adds, as JSON. */
    verdict: string | null
    /** The matched or chosen title. */
    media_id: number | null
    /** At most five candidate matches, as JSON; see `pack`. */
    candidates: string | null
    /** `ImportDecision` as JSON. */
    decision: string | null
    applied_at: string | null
    /** Whether the text of the title goes into the diary, because it has no rating. */
    is_text_without_rating: Generated<number>
  }
  import_lines: {
    id: Generated<number>
    import_id: number
    title_id: number | null
    file: string
    line: number
    /** The known columns of the line, as JSON; see `pack`. Empty if the line cannot be read. */
    raw: string
    /** The length of that JSON in bytes. */
    raw_bytes: number | null
    /** Null if the state is that of the title. */
    state: ImportLineState | RecordLineState | null
    note: string | null
  }
  /** Titles that a member chose for a key of a file; the next file with the key is matched to the same title. */
  import_keys: { user_id: number; key: string; media_id: number; import_id: number | null }
  /** The journal: what an import wrote, in order; a revert reads it backwards. */
  import_changes: {
    id: Generated<number>
    import_id: number
    title_id: number | null
    user_id: number
    /** Null for what is about no title. */
    media_id: number | null
    what: 'review' | 'entry' | 'favorite' | 'title' | 'listItem' | 'list' | 'follow' | 'settings'
    /** The id of the row; for a favorite the id of the title, for a title of a list that of the list, otherwise that of the member. */
    target_id: number
    /** The columns of the row before and after the change, as JSON; null if there was none. See `pack`. */
    before: string | null
    after: string
  }
  /** About how many bytes the imports of a member take in the database. */
  import_usage: {
    user_id: number
    /** The sum of `imports.bytes`. */
    held_bytes: number
    /** What imports have added since `day_began_at`, including the member’s reviews and diary entries. */
    day_bytes: number
    day_began_at: string
  }
  /** The lists that an import has read. */
  import_lists: {
    id: Generated<number>
    import_id: number
    /** Identifies the list at its service. */
    list_key: string
    name: string
    /** `ListSettings` as JSON; see `pack`. */
    settings: string
    /** The number of its titles in the file. */
    item_count: Generated<number>
    state: ImportListState
    /** The line that describes the list, if there is one. */
    line_id: number | null
    /** The list that it has become, or that was here already. */
    list_id: number | null
    /** Where its first title goes; see `placeAt`. Null until the import is applied. */
    first_place: number | null
  }
  /** Changes of members’ own data, in the order of `xid` and `id`. Filled by triggers; swept after 90 days. */
  changes: {
    id: Generated<number>
    /** The transaction on Postgres, whose ids may commit in another order; 0 on SQLite. */
    xid: Generated<number>
    user_id: number
    area: ChangeArea
    action: 'created' | 'updated' | 'deleted'
    /** The id of the review, diary entry or list; for a favorite that of the title, for a follow that of the followed member. */
    thing_id: number
    /** The title; null for a list or a follow. Not a foreign key, as none of these ids. */
    media_id: number | null
    at: Generated<string>
  }
  webhooks: {
    id: Generated<number>
    user_id: number
    url: string
    /** The secret that signs deliveries. */
    secret: string
    /** Separated by spaces. */
    events: string
    created_at: string
    /** The first failure since the last success. */
    failing_since: string | null
    disabled_at: string | null
  }
  /** Events for webhooks, and the results of their deliveries. Filled by triggers; another trigger adds a task for each row. */
  webhook_deliveries: {
    id: Generated<number>
    webhook_id: number
    event: WebhookEvent | 'test'
    action: 'created' | 'updated' | 'deleted'
    /** As in `changes`; for a comment its id, for a reaction that of the review. */
    thing_id: number
    media_id: number | null
    /** Who commented or reacted. */
    actor_id: number | null
    created_at: Generated<string>
    attempts: Generated<number>
    attempted_at: string | null
    delivered_at: string | null
    /** The HTTP status of the last attempt. */
    status: number | null
    /** The error of the last attempt, for display. */
    error: string | null
  }
  uploads: {
    id: Generated<number>
    /** As stored in the rows that use the picture: `/uploads/….webp`. */
    path: string
    width: number
    height: number
    /** Bytes of all sizes in storage; 0 for uploads older than this column. */
    bytes: Generated<number>
    /** Null if uploaded without a login, as at sign-up. */
    owner_id: number | null
    created_at: string
  }
}

/**
 * The columns that only the member they are about reads, and who has a role; tests look for their values in responses. Of other members’ data,
 * visitors read the columns that are missing here; or they hold ids, times, states, keys and hashes.
 */
export const privateColumns = {
  users: ['email', 'email_folded', 'pending_email', 'deletion_at', 'signup_reason'],
  sessions: ['user_agent'],
  credentials: ['name', 'details'],
  api_tokens: ['name'],
  idempotency_keys: ['body'],
  mail_tokens: [],
  tasks: [],
  mail_counts: [],
  media: [],
  external_ids: [],
  story_titles: [],
  reviews: ['rating_given'],
  rating_counts: [],
  name_parts: [],
  title_counts: [],
  title_facets: [],
  facet_counts: [],
  reactions: ['reaction'],
  comments: [],
  removed_reviews: [],
  removed_rows: [],
  removed_pictures: [],
  cases: ['snapshot'],
  reports: ['comment'],
  decisions: ['reason', 'appeal', 'answer'],
  follows: [],
  follow_requests: [],
  blocks: [],
  mutes: [],
  favorites: [],
  diary_entries: ['started_on', 'finished_on', 'rating_given', 'text'],
  lists: ['link_key'],
  list_items: [],
  list_likes: [],
  list_follows: [],
  list_editors: [],
  list_words: [],
  inboxes: [],
  notifications: [],
  notification_actors: [],
  imports: ['file_name', 'options', 'facts', 'waiting_for'],
  import_titles: ['title_key', 'name', 'search_text', 'plan', 'matched', 'candidates'],
  import_lines: ['file', 'raw', 'note'],
  import_keys: [],
  import_changes: [],
  import_usage: [],
  import_lists: ['name', 'settings'],
  changes: [],
  webhooks: ['url', 'secret'],
  webhook_deliveries: ['error'],
  uploads: [],
  active_counts: [],
  settings: [],
  secrets: [],
  used_challenges: [],
  source_calls: [],
  setup_codes: [],
  invites: ['note'],
  audit: [],
} satisfies { [Table in keyof Tables]: readonly (keyof Tables[Table])[] }

/** The details of a title that have no column of their own; lists are never missing. */
export type TitleDetails = {
  genres: string[]
  creators: string[]
  platforms: string[]
  /** Mean rating at the source, 0 to 100. */
  rating: number | null
  /** Names that the search finds too, such as the original one. */
  otherNames?: string[]
  /** Of a TV show: the year of its last episode. */
  lastAirYear?: number | null
  seasonCount?: number | null
  /** Of a book: with its position, if known, such as `Dune, 1`. */
  series?: string | null
}

export type ListRow = Selectable<Tables['lists']>
export type ListItemRow = Selectable<Tables['list_items']>
export type MediaRow = Selectable<Tables['media']>
export type NewTitle = Insertable<Tables['media']>
export type UserRow = Selectable<Tables['users']>
export type InviteRow = Selectable<Tables['invites']>
export type AuditRow = Selectable<Tables['audit']>
export type ReviewRow = Selectable<Tables['reviews']>

/** The columns of a card: a title as lists show it. */
export const cardColumns = [
  'media.id',
  'media.kind',
  'media.name',
  'media.image',
  'media.release_date',
  'media.release_year',
  'media.details',
] as const satisfies readonly `media.${keyof Tables['media']}`[]
export type CardRow = Pick<
  MediaRow,
  'id' | 'kind' | 'name' | 'image' | 'release_date' | 'release_year' | 'details'
>

/** A card with the columns that popularity is sorted by. */
export type RatedCardRow = CardRow & Pick<MediaRow, 'rating_count' | 'rating_sum' | 'created_at'>

/** The columns of a title's detail page. */
export const titleColumns = [
  ...cardColumns,
  'media.backdrop',
  'media.overview',
  'media.tagline',
  'media.runtime',
  'media.page_count',
  'media.source',
  'media.rating_count',
  'media.rating_sum',
] as const
/** A candidate match for a query with a typo. */
export type TypoCandidateRow = Pick<MediaRow, 'id' | 'search_text' | 'rating_count' | 'popularity'>
/** `ids` holds the external ids as `source id source id …`, `added_by` the member whose import created it as `id username`; or null. */
export type TitleRow = CardRow &
  Pick<
    MediaRow,
    'backdrop' | 'overview' | 'tagline' | 'runtime' | 'page_count' | 'source' | 'rating_count' | 'rating_sum'
  > & { ids: string | null; added_by: string | null }

/** A title of the catalogue that a source returns again. */
export const knownColumns = [...titleColumns, 'media.popularity', 'media.field_sources'] as const
export type KnownTitle = Omit<TitleRow, 'ids' | 'added_by'> & Pick<MediaRow, 'popularity' | 'field_sources'>

/** The columns of an item, the API's name for a title in the list of all kinds. */
export const itemColumns = ['id', 'kind', 'name', 'overview', 'image', 'release_year'] as const
export type ItemRow = Pick<MediaRow, (typeof itemColumns)[number]>

/** The rating counters of a title. */
export const ratingColumns = [
  'rating_count',
  'rating_sum',
  'stars_1',
  'stars_2',
  'stars_3',
  'stars_4',
  'stars_5',
] as const
export type RatingsRow = Pick<MediaRow, (typeof ratingColumns)[number]>

export const flagColumns = Object.values(byFlag(({ column }) => column))
/** The columns that the author of a review writes. */
export const writtenColumns = ['rating', 'text', ...flagColumns] as const
export type WrittenRow = Pick<ReviewRow, (typeof writtenColumns)[number]>

/** The columns of a review in a response. */
export const reviewColumns = [
  'reviews.id',
  'reviews.media_id',
  'reviews.kind',
  'reviews.user_id',
  ...writtenColumns,
  'reviews.created_at',
  'reviews.updated_at',
  'reviews.like_count',
  'reviews.dislike_count',
  'reviews.comment_count',
  'reviews.removed_text',
] as const
/** A review with its author and the viewer's reaction. */
export type ShownReviewRow = Omit<ReviewRow, 'rated_at' | 'rating_given' | 'own_has_spoilers'> &
  Pick<UserRow, 'username' | 'picture'> & { reaction: 'like' | 'dislike' | null }

export type ImportRow = Selectable<Tables['imports']>
export type ImportTitleRow = Selectable<Tables['import_titles']>
export type ImportLineRow = Selectable<Tables['import_lines']>
export type ImportChangeRow = Selectable<Tables['import_changes']>
export type ImportListRow = Selectable<Tables['import_lists']>

export type CaseRow = Selectable<Tables['cases']>
export type DecisionRow = Selectable<Tables['decisions']>
export type ReportRow = Selectable<Tables['reports']>
/** A case with the categories of its reports, separated by commas, and whether an appeal waits for an answer. */
export type ListedCaseRow = CaseRow & { categories: string; is_appealed: number }
/** A decision that was not undone, with the columns that its effect depends on. */
export type DecisionInForce = Pick<
  DecisionRow,
  'action' | 'target_type' | 'target_id' | 'since' | 'until' | 'keeps_rating' | 'created_at' | 'final_at'
>

export type InboxRow = Selectable<Tables['inboxes']>
export type NotificationRow = Selectable<Tables['notifications']>

export type ChangeRow = Selectable<Tables['changes']>
export type WebhookRow = Omit<Selectable<Tables['webhooks']>, 'secret'>
export type DeliveryRow = Selectable<Tables['webhook_deliveries']>

export type EntryRow = Selectable<Tables['diary_entries']>
/** The columns that the owner of a diary writes. */
export type WrittenEntryRow = Pick<EntryRow, 'status' | 'started_on' | 'finished_on' | 'is_again' | 'text'>
/** An entry with its title and its owner's current rating of the title. */
export type ShownEntryRow = EntryRow &
  Pick<MediaRow, 'name' | 'image' | 'release_year' | 'runtime' | 'page_count'> & { rating: number | null }
/** A finished entry of a year. `day` is its last date. */
export type YearEntryRow = Pick<EntryRow, 'id' | 'media_id' | 'kind'> &
  Pick<
    MediaRow,
    'name' | 'image' | 'release_year' | 'runtime' | 'page_count' | 'details' | 'rating_count'
  > & {
    day: string
    rating: number | null
  }
/** The position of an entry in a list: the value the list is sorted by, then the id. */
export type EntryPlace = { value: string | number; id: number }

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
export type Mail = { to: string; subject: string; text: string; unsubscribeUrl?: string }
