import { type AliasedRawBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * Which texts are withheld from a reader who is not as far in the title as their author has asked for. Every query that returns the text of a
 * review or a comment selects it with `shownText`, so that a text that is withheld never leaves the database. `viewerId` is 0 for a visitor,
 * who never is there.
 */

/** Columns that may be joined: who has written the text and which title it is about, and how far its reader must be. */
type Text = {
  text: RawBuilder<string>
  author: RawBuilder<number>
  title: RawBuilder<number>
  episode: RawBuilder<number | null>
  page: RawBuilder<number | null>
  percent: RawBuilder<number | null>
}

const ofReview: Text = {
  text: sql`reviews.text`,
  author: sql`reviews.user_id`,
  title: sql`reviews.media_id`,
  episode: sql`reviews.safe_episode_id`,
  page: sql`reviews.safe_page`,
  percent: sql`reviews.safe_percent`,
}

const hasOwn = sql`coalesce(comments.safe_episode_id, comments.safe_page, comments.safe_percent) is not null`
const ownOrOfReview = (column: string) =>
  sql<
    number | null
  >`case when ${hasOwn} then ${sql.ref(`comments.${column}`)} else ${sql.ref(`reviews.${column}`)} end`

/** `reviews` is the review of the comment, which counts if the comment says nothing itself. */
const ofComment: Text = {
  text: sql`comments.text`,
  author: sql`comments.user_id`,
  title: sql`reviews.media_id`,
  episode: ownOrOfReview('safe_episode_id'),
  page: ownOrOfReview('safe_page'),
  percent: ownOrOfReview('safe_percent'),
}

const texts = { review: ofReview, comment: ofComment }
export type WithheldText = keyof typeof texts

/** Null if it is withheld. `isRevealed`: the reader wants to read it anyway. */
export function shownText(
  viewerId: number,
  of: WithheldText,
  { isRevealed = false } = {},
): AliasedRawBuilder<string | null, 'text'> {
  const { text } = texts[of]
  if (isRevealed) return sql<string | null>`${text}`.as('text')
  return sql<string | null>`case when ${isWithheld(viewerId, of)} then null else ${text} end`.as('text')
}

/** How far its reader must be, with the numbers of the episode. `isOwn`: as the author of a comment has said; the review does not count. */
export function safeUpToColumns(of: WithheldText, { isOwn = false } = {}) {
  const { episode, page, percent } = isOwn ? ownOf(of) : texts[of]
  const numberOf = (column: 'season' | 'number') =>
    sql<number | null>`(select ${sql.ref(`parts.${column}`)} from parts where parts.id = ${episode})`
  return [
    episode.as('safe_episode_id'),
    page.as('safe_page'),
    percent.as('safe_percent'),
    numberOf('season').as('safe_season'),
    numberOf('number').as('safe_number'),
  ] as const
}

function ownOf(of: WithheldText): Pick<Text, 'episode' | 'page' | 'percent'> {
  const own = (column: string) => sql<number | null>`${sql.ref(`${of}s.${column}`)}`
  return { episode: own('safe_episode_id'), page: own('safe_page'), percent: own('safe_percent') }
}

function isWithheld(viewerId: number, of: WithheldText): RawBuilder<SqlBool> {
  const { author, episode, page, percent, title } = texts[of]
  const isLimited = sql<SqlBool>`coalesce(${episode}, ${page}, ${percent}) is not null`
  if (viewerId === 0) return isLimited
  const isAuthor = sql`${author} = ${viewerId}`
  const isOfReader =
    of === 'comment' ? sql`(${isAuthor} or not ${hasOwn} and reviews.user_id = ${viewerId})` : isAuthor
  const isModerator = sql`exists (select 1 from users as reader where reader.id = ${viewerId} and reader.role <> 'member')`
  return sql`(${isLimited} and not (${isOfReader} or ${isModerator}
    or case when ${episode} is not null then ${hasSeen(viewerId, episode)} else ${hasReached(viewerId, title, page, percent)} end))`
}

/** Whether the viewer has seen the episode in any pass. */
function hasSeen(viewerId: number, episode: RawBuilder<number | null>): RawBuilder<SqlBool> {
  const isLater = sql`(later.season, later.number) > (safe.season, safe.number)`
  // Of an episode without a date, one that has aired before another one.
  const airedOn = sql`coalesce(safe.release_date, (select min(later.release_date) from parts as later
    where later.media_id = safe.media_id and later.type = 'episode' and later.is_gone = 0 and safe.season > 0 and ${isLater}))`
  // Without a date, a statement is as old as its entry.
  const statedOn = sql`coalesce(stated.finished_on, substr(stated.created_at, 1, 10))`
  // The source has taken an episode away: who has watched a later one is there.
  return sql`(exists (select 1 from plays where plays.episode_id = ${episode} and plays.user_id = ${viewerId})
    or exists (select 1 from parts as safe join diary_entries as stated on stated.media_id = safe.media_id
      where safe.id = ${episode} and stated.user_id = ${viewerId} and stated.status = 'finished' and stated.pass is null
        and ${statedOn} >= ${airedOn})
    or exists (select 1 from parts as safe join plays on plays.media_id = safe.media_id join parts as later on later.id = plays.episode_id
      where safe.id = ${episode} and safe.is_gone = 1 and safe.season > 0 and plays.user_id = ${viewerId} and ${isLater}))`
}

/** For a book, a movie or a game: compares pages or percentages, converted if the length is known. */
function hasReached(
  viewerId: number,
  title: RawBuilder<number>,
  page: RawBuilder<number | null>,
  percent: RawBuilder<number | null>,
): RawBuilder<SqlBool> {
  // `hundredths` of a percent are 10,000 for all pages.
  const length = sql`case steps.unit when 'page' then media.page_count when 'minutes' then media.runtime end`
  return sql`exists (select 1 from diary_entries as entry where entry.user_id = ${viewerId} and entry.media_id = ${title}
    and (entry.status = 'finished' or exists (select 1 from steps join media on media.id = entry.media_id
      where steps.entry_id = entry.id and (
        steps.unit = 'page' and steps.hundredths >= 100 * ${page}
        or steps.unit = 'percent' and cast(steps.hundredths as bigint) * media.page_count >= cast(10000 as bigint) * ${page}
        or steps.unit = 'percent' and steps.hundredths >= 100 * ${percent}
        or steps.hundredths >= cast(${percent} as bigint) * nullif(${length}, 0)))))`
}
