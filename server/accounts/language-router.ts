import * as schema from '#shared/contracts/languages.ts'
import type { Db } from '#server/db/open.ts'
import { callsIn, router } from '#server/calls/procedures.ts'
import * as store from './language-store.ts'
import { presentLanguage } from './rules.ts'

const { forMembers } = callsIn('Accounts')

export const languageRouter = router({
  languageSettings: forMembers(
    'GET /users/me/language-settings',
    'getLanguageSettings',
    schema.getLanguageSettings,
    { summary: 'Get the language of the caller', returnsData: 'own' },
  ).query(({ ctx }) => readSettings(ctx.db, ctx.member.id)),

  changeLanguageSettings: forMembers(
    'PATCH /users/me/language-settings',
    'updateLanguageSettings',
    schema.changeLanguageSettings,
    {
      summary: 'Choose the language of the caller',
      description: 'Responses of the API stay in English. Omitted fields do not change.',
      scope: 'account',
    },
  ).mutation(async ({ ctx, input: { language, titles } }) => {
    const changes = {
      ...(language !== undefined && { language }),
      ...(titles !== undefined && { title_names: titles }),
    }
    if (Object.keys(changes).length > 0) await store.updateLanguageSettings(ctx.db, ctx.member.id, changes)
    return readSettings(ctx.db, ctx.member.id)
  }),
})

async function readSettings(db: Db, userId: number) {
  return presentLanguage(await store.findLanguageSettings(db, userId))
}
