import { messages } from '#shared/texts/messages.ts'
import * as schema from '#shared/contracts/moderation.ts'
import { detailsOf } from '#server/titles/rules.ts'
import { lockTitle, updateTitle } from '#server/titles/store.ts'
import { titleColumns } from '#server/db/fold.ts'
import { badRequest } from '#server/calls/errors.ts'
import { audit } from '#server/calls/audit.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import { callsIn, found, router } from '#server/calls/procedures.ts'
import { holdUpload } from '#server/uploads/store.ts'
import { moderatorProtected } from './decide.ts'
import { presentTitle } from './rules.ts'
import * as store from './titles-store.ts'

const { forModerators } = callsIn('Moderation')

export const titlesRouter = router({
  titles: forModerators('GET /moderation/titles', 'listCreatedTitles', schema.listTitles, {
    summary: 'List the titles that members created',
    description: 'Newest first, also removed ones.',
  }).query(async ({ ctx, input: { cursor, limit } }) => {
    const before = readCursor(cursor, schema.titlesCursor)?.[1]
    const rows = await store.listCreated(ctx.db, before, limit + 1)
    const { shown, nextCursor } = pageOf(rows, limit, ({ id }) => ['titles', id])
    return { titles: shown.map(presentTitle), nextCursor }
  }),

  correctTitle: forModerators('PATCH /moderation/titles/{id}', 'correctTitle', schema.correctTitle, {
    summary: 'Correct a title that a member created',
    description: 'Fields that are not sent keep their values. Returns 404 for titles of an external source.',
    errors: [403, 404],
  }).mutation(({ ctx, input: { id, name, releaseYear, overview, imageUrl, reason } }) =>
    ctx.db.transaction().execute(async (trx) => {
      await lockTitle(trx, id)
      const before = found(await store.findCreated(trx, id), messages.itemNotFound)
      if (before.removed_at !== null && before.creator_id === ctx.member.id) throw moderatorProtected()
      if (imageUrl && imageUrl !== before.image && !(await holdUpload(trx, imageUrl)))
        throw badRequest(messages.uploadFirst)
      const { creators, otherNames } = detailsOf(before)
      const values = {
        ...(name !== undefined && {
          name,
          ...titleColumns(name, [...creators, ...(otherNames ?? [])]),
        }),
        ...(releaseYear !== undefined &&
          releaseYear !== before.release_year && {
            release_year: releaseYear,
            release_date: releaseYear === null ? null : String(releaseYear).padStart(4, '0'),
          }),
        ...(overview !== undefined && { overview: overview || null }),
        ...(imageUrl !== undefined && { image: imageUrl }),
      }
      if (Object.keys(values).length > 0) await updateTitle(trx, id, values)
      const after = (await store.findCreated(trx, id))!
      await audit(trx, {
        by: ctx.member,
        action: 'title.correct',
        target: { type: 'title', id, name: after.name },
        ...changed(presentTitle(before), presentTitle(after)),
        reason,
        at: ctx.now,
      })
      return { title: presentTitle(after) }
    }),
  ),
})

function changed<Title extends object>(before: Title, after: Title) {
  const names = (Object.keys(before) as (keyof Title)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (title: Title) => Object.fromEntries(names.map((name) => [name, title[name]]))
  return { before: pick(before), after: pick(after) }
}
