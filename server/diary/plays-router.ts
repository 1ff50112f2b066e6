import * as schema from '#shared/contracts/progress.ts'
import { callsIn, router } from '#server/calls/procedures.ts'
import { readPlays } from './plays.ts'
import { checkVisible } from './visible.ts'

const { forAll } = callsIn('Progress')

export const playsRouter = router({
  ofUser: forAll('GET /users/{id}/plays', 'listPlaysOfUser', schema.listPlays, {
    summary: 'List the plays of a member',
    description:
      'The last watched first, then the plays of unknown days. Whoever may read the diary may read them; only the member sees the batches. Returns 403 if the caller may not read the diary.',
    errors: [403, 404],
    readsToken: true,
    returnsData: 'favorites',
  }).query(async ({ ctx, input: { id: userId, limit, cursor } }) => {
    await checkVisible(ctx, userId)
    return readPlays(ctx.db, { userId, limit, cursor, isOwn: ctx.member?.id === userId })
  }),
})
