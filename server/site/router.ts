import { messages } from '#shared/texts/messages.ts'
import * as schema from '#shared/contracts/site.ts'
import { publicSite } from '#shared/domain/site-defaults.ts'
import { forgetSettings, readSettings } from '#server/members/settings.ts'
import { badRequest } from '#server/calls/errors.ts'
import { audit } from '#server/calls/audit.ts'
import { checkIfMatch } from '#server/calls/etag.ts'
import { callsIn, found, router } from '#server/calls/procedures.ts'
import { holdUpload } from '#server/uploads/store.ts'
import { changedParts, isSame, shownAnnouncement, siteLanguages } from './rules.ts'
import * as store from './store.ts'

const { forAll } = callsIn('Site')
const { forAdmins } = callsIn('Administration')
const version = ['settings.version'] as const

export const siteRouter = router({
  get: forAll('GET /site', 'getSite', schema.getSite, {
    summary: 'Get the name, the rules and the sign-up mode of the site',
    isAlwaysOpen: true,
    returnsData: 'site',
  }).query(async ({ ctx: { db, primary = db, now, sources } }) => {
    const { version: of, changedAt: _, ...settings } = await readSettings(primary)
    const site = publicSite(shownAnnouncement(settings, now), of, sources.offers !== undefined)
    return { site: { ...site, ...siteLanguages(settings) } }
  }),

  page: forAll('GET /site/pages/{name}', 'getSitePage', schema.getPage, {
    summary: 'Get a page about the site as Markdown',
    errors: [404],
    isAlwaysOpen: true,
    returnsData: 'site',
  }).query(async ({ ctx: { db, primary = db }, input: { name } }) => {
    const { pages, changedAt } = await readSettings(primary)
    // An empty page does not exist.
    const markdown = found(pages[name] || null)
    return { page: { name, markdown, updatedAt: changedAt.pages! } }
  }),

  settings: forAdmins('GET /admin/settings', 'getSettings', schema.getSettings, {
    summary: 'Get the settings of the site',
    errors: [403],
    version,
  }).query(async ({ ctx: { db, primary = db } }) => ({ settings: await readSettings(primary) })),

  change: forAdmins('PATCH /admin/settings', 'changeSettings', schema.changeSettings, {
    summary: 'Change settings of the site',
    description:
      'Each setting is replaced as a whole; those that are not sent do not change. Takes effect at once, in all processes within a second. Returns 412 if `If-Match` has the `ETag` of an earlier version.',
    errors: [403, 412],
    version,
  }).mutation(async ({ ctx, input }) => {
    await ctx.db.transaction().execute(async (trx) => {
      await store.lockSettings(trx)
      const before = await readSettings(trx)
      checkIfMatch(ctx, [before.version])
      const changes = Object.fromEntries(
        Object.entries(input).filter(([name, value]) => !isSame(value, before[name as schema.SettingName])),
      ) as Partial<schema.Settings>
      if (Object.keys(changes).length === 0) return
      if (changes.icon && !(await holdUpload(trx, changes.icon))) throw badRequest(messages.uploadFirst)
      await store.writeSettings(trx, changes, before.version + 1, ctx.now)
      const target = { type: 'site' as const }
      const parts = changedParts(before, changes)
      await audit(trx, { by: ctx.member, action: 'settings.change', target, ...parts, at: ctx.now })
    })
    forgetSettings(ctx.db)
    ctx.live.announceSettings()
    return { settings: await readSettings(ctx.db) }
  }),
})
