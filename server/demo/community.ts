import { type Kind, kindNames, kinds } from '#shared/domain/kinds.ts'
import {
  hasPassword,
  removeCredentials,
  setPassword,
  withPassword,
} from '#server/accounts/credentials-store.ts'
import { toTenths } from '#shared/domain/ratings.ts'
import { dayMs } from '#shared/domain/days.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { recountAll } from '#server/db/counters.ts'
import { features } from '#server/router.ts'
import { insertMany, lockKeys } from '#server/db/dialect.ts'
import { confusableKey, usernameColumns } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { spreadPlaces } from '#server/lists/places.ts'
import { wordsOf } from '#server/lists/rules.ts'
import { insertList } from '#server/lists/store.ts'
import { fillInbox } from './inbox.ts'
import { listEpisodes } from '#server/progress/episodes-store.ts'
import { fillPlays } from './plays.ts'
import { fillReports } from './reports.ts'
import { fillShow, moveShow } from './show.ts'
import { type DemoMember, readData, readKind } from '#server/starter/schema.ts'
import { portraitOf, starterId } from '#server/starter/titles.ts'

/** Printed at the start, so public: the community must be removed if `DEMO` is off. */
export const demoSignIn = { email: 'demo@medley.example', password: 'medley-demo' } as const

export const hostEmail = 'host@medley.example'

export function readCommunity() {
  const { members } = readData('members', 'members.json')
  const all = kindNames.flatMap((kind) =>
    (readKind('reviews', kind)?.reviews ?? []).map((review) => ({
      ...review,
      kind,
      title: starterId(kind, review.slug),
    })),
  )
  const reviews = all.filter(({ episode }) => episode === undefined)
  const ofEpisodes = all.filter(({ episode }) => episode !== undefined)
  return { members, reviews, ofEpisodes }
}

/** In the weeks before `now`. An existing community is shifted in time instead. Without `hasDemoHost`, its admin has no role and cannot log in. */
export async function loadCommunity(
  db: Db,
  now: Date,
  { hasDemoHost = true }: { hasDemoHost?: boolean } = {},
): Promise<'created' | 'exists'> {
  const outcome = await loadMembers(db, now)
  await setHost(db, hasDemoHost, now)
  return outcome
}

async function loadMembers(db: Db, now: Date): Promise<'created' | 'exists'> {
  const newest = await db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .where('users.is_demo', '=', 1)
    // A visitor may have written a review today as a member whose password is public.
    .where('users.id', 'not in', withPassword(db))
    .select((eb) => eb.fn.max('reviews.rated_at').as('at'))
    .executeTakeFirst()
  if (newest?.at) {
    const days = Math.floor((now.getTime() - Date.parse(newest.at)) / dayMs)
    if (days >= 2)
      await db.transaction().execute(async (trx) => {
        await shiftTimes(trx, days * dayMs)
        await moveShow(trx, await findDemo(trx), now)
      })
    return 'exists'
  }
  const passwordHash = await hashPassword(demoSignIn.password)
  await db.transaction().execute(async (trx) => {
    // If several processes on one Postgres start at the same time, only the first inserts.
    await lockKeys(trx, ['community'])
    if (await trx.selectFrom('users').select('id').where('is_demo', '=', 1).executeTakeFirst()) return
    await insertHost(trx, now)
    const user = await insertCommunity(trx, passwordHash, now)
    await fillShow(trx, await findDemo(trx), now)
    await recountAll(trx, features)
    await fillReports(trx, user, now)
    await fillInbox(trx, await findDemo(trx), now)
  })
  return 'created'
}

async function findDemo(trx: Db): Promise<number> {
  const { id } = await trx
    .selectFrom('users')
    .select('id')
    .where('email', '=', demoSignIn.email)
    .executeTakeFirstOrThrow()
  return id
}

const wantedCount = 9

async function insertHost(trx: Db, now: Date): Promise<void> {
  const at = new Date(now.getTime() - 400 * dayMs).toISOString()
  await trx
    .insertInto('users')
    .values({
      ...usernameColumns('host'),
      email: hostEmail,
      email_folded: hostEmail,
      bio: 'I keep this place running. Write to me if something is odd.',
      verified_at: at,
      created_at: at,
      is_demo: 1,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** An admin with the public password, or a member who cannot log in. */
async function setHost(db: Db, isEnabled: boolean, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const host = await trx
      .selectFrom('users')
      .select('id')
      .where('email', '=', hostEmail)
      .where('is_demo', '=', 1)
      .executeTakeFirst()
    if (!host || isEnabled === (await hasPassword(trx, host.id))) return
    const role = isEnabled ? 'admin' : 'member'
    await trx.updateTable('users').set({ role }).where('id', '=', host.id).execute()
    if (isEnabled) await setPassword(trx, host.id, await hashPassword(demoSignIn.password), now)
    else await removeCredentials(trx, host.id)
    for (const table of ['sessions', 'api_tokens'] as const)
      await trx.deleteFrom(table).where('user_id', '=', host.id).execute()
  })
}

type ToTime = (daysAgo: number) => string

/** Returns a function that returns the id of a member by the username of the data files. */
async function insertCommunity(trx: Db, passwordHash: string, now: Date): Promise<(name: string) => number> {
  const at: ToTime = (daysAgo) => new Date(now.getTime() - daysAgo * dayMs).toISOString()
  const { members, reviews, ofEpisodes } = readCommunity()
  const userIds = await insertMembers(trx, members, passwordHash, at)
  const titleIds = await findStarterIds(trx)
  const user = (name: string) => userIds.get(name)!
  const rows = { follows: [], favorites: [], comments: [], reactions: [] } as Record<string, object[]>

  for (const { username, follows, favorites } of members) {
    for (const [followee, daysAgo] of Object.entries(follows))
      rows.follows!.push({
        follower_id: user(username),
        followee_id: user(followee),
        created_at: at(daysAgo),
      })
    for (const [title, daysAgo] of Object.entries(favorites))
      rows.favorites!.push({
        user_id: user(username),
        media_id: titleIds.get(title)!,
        kind: kindOf(title),
        created_at: at(daysAgo),
      })
  }
  for (const {
    kind,
    title,
    by,
    daysAgo,
    rating,
    text = '',
    hasSpoilers = false,
    episode,
    safeUpTo = episode,
    comments = [],
    ...reactions
  } of [...reviews, ...ofEpisodes]) {
    const time = at(daysAgo)
    const partId = await findEpisodeAt(trx, titleIds.get(title)!, episode)
    if (episode !== undefined && partId === null) continue
    const { id } = await trx
      .insertInto('reviews')
      .values({
        media_id: partId === null ? titleIds.get(title)! : null,
        part_id: partId,
        kind,
        user_id: user(by),
        rating: toTenths(rating),
        text,
        has_spoilers: Number(hasSpoilers),
        safe_episode_id: await findEpisodeAt(trx, titleIds.get(title)!, safeUpTo),
        created_at: time,
        updated_at: time,
        rated_at: time,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const comment of comments)
      rows.comments!.push({
        review_id: id,
        user_id: user(comment.by),
        text: comment.text,
        safe_episode_id: await findEpisodeAt(trx, titleIds.get(title)!, comment.safeUpTo),
        created_at: at(comment.daysAgo),
      })
    for (const name of reactions.likes ?? [])
      rows.reactions!.push({ review_id: id, user_id: user(name), reaction: 'like' })
    for (const name of reactions.dislikes ?? [])
      rows.reactions!.push({ review_id: id, user_id: user(name), reaction: 'dislike' })
  }
  // The diaries: titles that the members reviewed, and for the first member, whose credentials are public, titles that others love.
  const demo = members[0]!.username
  const ofDemo = reviews.filter(({ by }) => by === demo)
  const seen = new Set(ofDemo.map(({ title }) => title))
  const wanted = [...new Set(members.flatMap(({ favorites }) => Object.keys(favorites)))]
    .filter((title) => !seen.has(title))
    .slice(0, wantedCount)
  const entry = (by: string, title: string, status: string, time: string, finishedAt?: string) => ({
    user_id: user(by),
    media_id: titleIds.get(title)!,
    kind: kindOf(title),
    status,
    finished_on: finishedAt?.slice(0, 10) ?? null,
    created_at: time,
    updated_at: time,
  })
  const played = await fillPlays(trx, { user, titleIds }, now)
  rows.diary_entries = [
    // Over a year, because the reviews are of the last weeks only.
    ...reviews
      .filter(({ by, title }) => !played.has(`${by} ${title}`))
      .map(({ by, title, daysAgo }) => entry(by, title, 'finished', at(daysAgo), at(5 * daysAgo))),
    ...wanted.map((title, index) => entry(demo, title, 'want', at(index + 1))),
  ]
  for (const [table, list] of Object.entries(rows)) await insertMany(trx, table, list)
  await insertLists(trx, user, titleIds, at)
  return user
}

/** `2x7` is the seventh episode of season 2. Null if the episodes are not known. */
async function findEpisodeAt(trx: Db, titleId: number, place: string | undefined): Promise<number | null> {
  if (place === undefined) return null
  const episodes = await listEpisodes(trx, titleId)
  return episodes.find(({ season, number }) => `${season}x${number}` === place)?.id ?? null
}

function kindOf(id: string): Kind {
  return kindNames.find((kind) => id.startsWith(`${kinds[kind].path}/`))!
}

async function insertLists(
  trx: Db,
  user: (name: string) => number,
  titleIds: ReadonlyMap<string, number>,
  at: ToTime,
): Promise<void> {
  const rows = { list_items: [], list_likes: [], list_editors: [] } as Record<string, object[]>
  for (const list of readData('lists', 'lists.json').lists) {
    const { by, title, tags, daysAgo, items, editors = [], likes } = list
    const time = at(daysAgo)
    const id = await insertList(
      trx,
      {
        user_id: user(by),
        title,
        description: list.description ?? '',
        is_ranked: Number(list.isRanked ?? false),
        visibility: 'public',
        tags: JSON.stringify(tags),
        created_at: time,
        updated_at: at(daysAgo / 2),
      },
      wordsOf(title, tags),
    )
    const places = spreadPlaces(items.length)
    for (const [index, item] of items.entries())
      rows.list_items!.push({
        list_id: id,
        media_id: titleIds.get(item.title)!,
        kind: kindOf(item.title),
        place: places[index],
        note: item.note ?? '',
        added_by: user(item.by ?? by),
        added_at: at(daysAgo - (daysAgo / 2) * (index / items.length)),
      })
    for (const [index, name] of likes.entries())
      rows.list_likes!.push({
        list_id: id,
        user_id: user(name),
        created_at: at(daysAgo * (1 - (index + 1) / (likes.length + 1))),
      })
    for (const name of editors)
      rows.list_editors!.push({ list_id: id, user_id: user(name), invited_at: time, accepted_at: time })
  }
  for (const [table, list] of Object.entries(rows)) await insertMany(trx, table, list)
}

/** With everything they created. Returns the number of members. */
export async function removeCommunity(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const demo = trx.selectFrom('users').select('id').where('is_demo', '=', 1)
    // Created with the public credentials; including other members’ reviews of them.
    await trx.deleteFrom('media').where('created_by', 'in', demo).execute()
    await trx.deleteFrom('cases').where('user_id', 'in', demo).execute()
    const { numDeletedRows } = await trx
      .deleteFrom('users')
      .where('is_demo', '=', 1)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) await recountAll(trx, features)
    return Number(numDeletedRows)
  })
}

/** By username; a taken one, or a confusable one, gets a suffix. */
async function insertMembers(
  trx: Db,
  members: DemoMember[],
  passwordHash: string,
  at: ToTime,
): Promise<Map<string, number>> {
  const names = members.map((member) => usernameColumns(member.username))
  const among = (column: 'username_folded' | 'username_key') => names.map((name) => name[column])
  const real = await trx
    .selectFrom('users')
    .select('username')
    .where((eb) =>
      eb.or([
        eb('username_folded', 'in', among('username_folded')),
        eb('username_key', 'in', among('username_key')),
      ]),
    )
    .execute()
  const taken = new Set(real.map(({ username }) => confusableKey(username)))
  const ids = new Map<string, number>()
  for (const [index, member] of members.entries()) {
    const isTaken = taken.has(names[index]!.username_key)
    const email = index === 0 ? demoSignIn.email : `member${index}@medley.example`
    const { id } = await trx
      .insertInto('users')
      .values({
        ...(isTaken ? usernameColumns(`${member.username}.made-up`) : names[index]!),
        email,
        email_folded: email,
        picture: member.hasPortrait ? portraitOf(index + 1) : null,
        verified_at: at(member.joinedDaysAgo),
        created_at: at(member.joinedDaysAgo),
        is_demo: 1,
        diary_visibility: index === 0 ? 'private' : 'public',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (index === 0) await setPassword(trx, id, passwordHash, new Date(at(member.joinedDaysAgo)))
    ids.set(member.username, id)
  }
  return ids
}

async function findStarterIds(trx: Db): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('external_ids')
    .select(['external_id', 'media_id'])
    .where('source', '=', 'starter')
    .execute()
  return new Map(rows.map((row) => [row.external_id, row.media_id]))
}

/** So that the latest activity is recent. */
async function shiftTimes(trx: Db, ms: number): Promise<void> {
  const later = (time: string) => new Date(Date.parse(time) + ms).toISOString()
  const members = trx.selectFrom('users').select('id').where('is_demo', '=', 1)
  for (const [table, columns] of [
    ['reviews', ['created_at', 'updated_at', 'rated_at']],
    ['comments', ['created_at']],
  ] as const) {
    const rows = await trx
      .selectFrom(table)
      .select(['id', ...(columns as readonly 'created_at'[])])
      .where('user_id', 'in', members)
      .execute()
    for (const { id, ...times } of rows)
      await trx
        .updateTable(table)
        .set(Object.fromEntries(Object.entries(times).map(([column, time]) => [column, later(time)])))
        .where('id', '=', id)
        .execute()
  }
  // The ratings moved to other days.
  await recountAll(trx, features)
}
