import { messages } from '#shared/texts/messages.ts'
import { forbidden, notFound } from '#server/calls/errors.ts'
import type { Context } from '#server/calls/context.ts'
import { isDiaryVisible } from './store.ts'

/** Throws NOT_FOUND if the member does not exist. */
export async function isVisible({ db, member }: Context, userId: number): Promise<boolean> {
  const isVisible = await isDiaryVisible(db, userId, member?.id ?? 0)
  if (isVisible === undefined) throw notFound(messages.userNotFound)
  return isVisible
}

export async function checkVisible(ctx: Context, userId: number): Promise<void> {
  if (!(await isVisible(ctx, userId))) throw forbidden(messages.diaryPrivate)
}
