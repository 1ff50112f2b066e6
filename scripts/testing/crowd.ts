import { dayMs } from '#shared/domain/days.ts'
import { recountAll } from '#server/db/counters.ts'
import { insertMany } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { features } from '#server/router.ts'
import type { Tables } from '#server/db/tables.ts'
import { newFacts } from '#server/imports/facts.ts'
import { spreadPlaces } from '#server/lists/places.ts'

/** Columns that are left out have their defaults. */
type Row<Table extends keyof Tables> = Partial<Record<keyof Tables[Table], string | number | null>>

/**
 * A member with about as much of everything as one can have, long threads, a list with many followers and much to moderate. Needs the
 * synthetic dataset. Returns the ids of the largest of each.
 */
export async function crowd(db: Db, { id: userId, now }: { id: number; now: Date }) {
  const at = now.toISOString()
  const ago = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
  const idsOf = async (table: 'users' | 'media') =>
    (
      await db
        .selectFrom(table)
        .select('id')
        .where('id', '<>', table === 'users' ? userId : 0)
        .orderBy('id')
        .execute()
    ).map(({ id }) => id)
  const [members, titles] = [await idsOf('users'), await idsOf('media')]
  const kinds = new Map(
    (await db.selectFrom('media').select(['id', 'kind']).execute()).map(({ id, kind }) => [id, kind]),
  )
  const memberAt = (place: number) => members[place % members.length]!
  const aTitle = (place: number) => {
    const media_id = titles[place % titles.length]!
    return { media_id, kind: kinds.get(media_id)! }
  }
  // The first title has the most ratings, and the last review is the newest.
  const titleId = titles[0]!
  const ofTitle = db.selectFrom('reviews').select('id').where('media_id', '=', titleId).orderBy('id', 'desc')
  const threads = (await ofTitle.limit(20).execute()).map(({ id }) => id)
  const [reviewId] = threads as [number]
  const listId = 1

  await db.transaction().execute(async (trx) => {
    async function add<Table extends keyof Tables>(
      table: Table,
      count: number,
      rowOf: (at: number) => Row<Table> | undefined,
    ): Promise<void> {
      const rows = Array.from({ length: count }, (_, place) => rowOf(place)).filter(
        (row) => row !== undefined,
      )
      await insertMany(trx, table, rows)
    }
    const others = members.length

    for (const table of ['follows', 'reviews', 'favorites', 'diary_entries', 'notifications'] as const) {
      const own = table === 'follows' ? 'follower_id' : 'user_id'
      await trx
        .deleteFrom(table as 'reviews')
        .where(own as 'user_id', '=', userId)
        .execute()
    }
    await trx.deleteFrom('follows').where('followee_id', '=', userId).execute()
    await add('follows', others, (n) => ({
      follower_id: memberAt(n),
      followee_id: userId,
      created_at: ago(1),
    }))
    await add('follows', others, (n) => ({
      follower_id: userId,
      followee_id: memberAt(n),
      created_at: ago(1),
    }))
    await add('follow_requests', Math.min(1_000, others), (n) => ({
      follower_id: memberAt(n),
      followee_id: userId,
      created_at: at,
    }))
    for (const [table, from] of [
      ['mutes', 0],
      ['blocks', 1_000],
    ] as const)
      await add(table, Math.min(1_000, others), (n) => ({
        user_id: userId,
        member_id: memberAt(from + n),
        created_at: at,
      }))

    const texts = { text: 'Long and slow, and then it is over.', created_at: ago(2), updated_at: at }
    await add('reviews', titles.length, (n) => ({
      ...aTitle(n),
      ...texts,
      user_id: userId,
      rating: 10 + 5 * (n % 9),
      rated_at: ago(n % 300),
    }))
    await add('favorites', titles.length, (n) => ({ ...aTitle(n), user_id: userId, created_at: at }))
    await add('diary_entries', 10_000, (n) => ({
      ...aTitle(n),
      user_id: userId,
      status: 'finished',
      started_on: null,
      finished_on: ago(n % 150).slice(0, 10),
      created_at: at,
      updated_at: at,
    }))
    await add('diary_entries', titles.length, (n) => ({
      ...aTitle(n),
      user_id: userId,
      status: 'want',
      started_on: null,
      finished_on: null,
      created_at: at,
      updated_at: at,
    }))

    const comment = { text: 'Yes, but no.', created_at: ago(1) }
    for (const [place, review_id] of threads.entries())
      await add('comments', place === 0 ? 3_000 : 200, (n) => ({
        ...comment,
        review_id,
        user_id: memberAt(n),
      }))
    await trx.deleteFrom('reactions').where('review_id', '=', reviewId).execute()
    await add('reactions', Math.min(2_000, others), (n) => ({
      review_id: reviewId,
      user_id: memberAt(n),
      reaction: 'like',
    }))

    // The member’s own: other lists may be private, or by somebody whom the member blocks.
    await trx.updateTable('lists').set({ user_id: userId }).where('id', '=', listId).execute()
    await trx.deleteFrom('list_items').where('list_id', '=', listId).execute()
    const places = spreadPlaces(titles.length)
    await add('list_items', titles.length, (n) => ({
      ...aTitle(n),
      list_id: listId,
      place: places[n]!,
      added_by: memberAt(n),
      added_at: at,
    }))
    await trx.deleteFrom('list_likes').where('list_id', '=', listId).execute()
    for (const table of ['list_likes', 'list_follows'] as const)
      await add(table, others, (n) => ({ list_id: listId, user_id: memberAt(n), created_at: ago(1) }))
    // Fewer than the maximum, so that calls can create more.
    await add('lists', 480, (n) => ({
      user_id: userId,
      title: `Mine ${n}`,
      visibility: 'public',
      created_at: at,
      updated_at: at,
    }))
    await add('list_follows', 5_000, (n) =>
      n === 0 ? undefined : { list_id: n + 1, user_id: userId, created_at: at },
    )

    const [firstReview] = await trx
      .selectFrom('reviews')
      .select('id')
      .where('user_id', '=', userId)
      .limit(1)
      .execute()
    await add('notifications', 5_000, (n) => ({
      user_id: userId,
      type: 'like',
      target_type: 'review',
      target_id: firstReview!.id + (n % titles.length),
      day: ago(n / titles.length).slice(0, 10),
      at: new Date(now.getTime() - n).toISOString(),
      actors: JSON.stringify([memberAt(n), memberAt(n + 1), memberAt(n + 2)]),
      actor_count: 3,
    }))

    await add('sessions', 1_000, (n) => ({
      token_hash: `hash ${n}`,
      user_id: userId,
      created_at: at,
      last_used_at: at,
      expires_at: ago(-10),
      user_agent: 'Mozilla/5.0',
    }))
    await add('invites', 5_000, (n) => ({
      code: `code${n}`,
      created_by: n % 2 === 0 ? userId : memberAt(n),
      max_uses: 1,
      created_at: at,
      expires_at: ago(-10),
    }))
    await add('audit', 20_000, (n) => ({
      actor_id: memberAt(n),
      actor: 'admin',
      action: 'case.open',
      target_type: 'review',
      target_id: n,
      before: null,
      after: null,
      at,
    }))
    const snapshot = JSON.stringify({
      text: 'Buy!',
      rating: null,
      hasSpoilers: false,
      imageUrl: null,
      title: null,
      writtenAt: at,
    })
    await add('cases', 5_000, (n) => ({
      id: n + 1,
      target_type: 'review',
      target_id: n + 1,
      user_id: n % 2 === 0 ? memberAt(n) : userId,
      snapshot,
      is_open: n % 2,
      opened_at: at,
      closed_at: n % 2 === 0 ? at : null,
      report_count: 4,
    }))
    await add('reports', 20_000, (n) => ({
      case_id: 1 + (n % 5_000),
      user_id: n < 5_000 ? userId : memberAt(n),
      category: 'spam',
      rules: '[]',
      comment: 'See.',
      created_at: at,
      closed_at: at,
    }))
    await add('decisions', 2_500, (n) => ({
      case_id: 2 + n * 2,
      target_type: 'review',
      target_id: 2 + n * 2,
      user_id: userId,
      moderator_id: null,
      action: 'warn',
      rules: '[]',
      reason: 'Please stop.',
      until: null,
      since: null,
      created_at: at,
    }))

    await trx.deleteFrom('changes').execute()
    await add('changes', 50_000, (n) => ({
      user_id: userId,
      ...(n % 2 === 0
        ? { area: 'review', thing_id: firstReview!.id + (n % titles.length), media_id: aTitle(n).media_id }
        : { area: 'follow', thing_id: memberAt(n), media_id: null }),
      action: 'updated',
    }))
    await add('webhooks', 4, (n) => ({
      id: n + 1,
      user_id: userId,
      url: `https://hooks.example/${n}`,
      secret: 's',
      events: 'review',
      created_at: at,
      failing_since: null,
      disabled_at: at,
    }))
    await add('webhook_deliveries', 5_000, (n) => ({
      webhook_id: 1 + (n % 4),
      event: 'review',
      action: 'updated',
      thing_id: n,
      media_id: null,
      actor_id: null,
      created_at: at,
      attempted_at: at,
      delivered_at: at,
      status: 200,
      error: null,
    }))

    const facts = JSON.stringify({
      ...newFacts({ columns: [], shelves: [], unclear: [], lines: 10_000 }),
      titles: 10_000,
    })
    await add('imports', 50, (n) => ({
      id: n + 1,
      user_id: userId,
      service: 'imdb',
      file_name: 'ratings.csv',
      file_hash: String(n).padStart(64, '0'),
      options: '{}',
      facts,
      state: n === 0 ? 'ready' : 'done',
      created_at: at,
      updated_at: at,
    }))
    await add('import_titles', 10_000, (n) => ({
      import_id: 1,
      title_key: `imdb:tt${n}`,
      kind: 'movie',
      name: `A Film ${n}`,
      search_text: `a film ${n}`,
      record: '{}',
      state: 'notFound',
      matched: '{"mediaId":null,"reason":null}',
    }))
    await add('import_lines', 10_000, (n) => ({
      import_id: 1,
      file: '',
      line: n + 2,
      raw: '',
      state: 'unreadable',
      note: 'unreadable',
    }))
    await recountAll(trx, features)
  })
  return { userId, titleId, reviewId, listId, caseId: 1, importId: 1, webhookId: 1 }
}
