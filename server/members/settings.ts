import { defaultSettings } from '#shared/domain/site-defaults.ts'
import { type SettingName, settingNames, settingSchemas, type Settings } from '#shared/contracts/site.ts'
import type { Db } from '#server/db/open.ts'
import { prepareFirst } from '#server/db/prepared.ts'
import { isCurrent, type State, stateOf, versionOf } from '#server/db/version.ts'

/** `version` is 0 if no setting was ever changed. */
export type SiteSettings = Settings & { version: number; changedAt: Partial<Record<SettingName, string>> }

type Kept = State & { settings: SiteSettings }
const databases = new WeakMap<Db, Kept>()

/** On Postgres, if a process misses the message on the channel. */
const ageMaxMs = 1_000

/** Cached: on SQLite until the database changes, on Postgres for a second or until `forgetSettings`. Within a transaction they are read anew. */
export async function readSettings(db: Db): Promise<SiteSettings> {
  const version = versionOf(db)
  const kept = databases.get(db)
  const isFresh = version.seesOthers
    ? kept && isCurrent(version, kept)
    : kept && performance.now() - kept.at < ageMaxMs
  if (isFresh) return kept!.settings
  const state = stateOf(version)
  const settings = await loadSettings(db, kept?.settings)
  // Not if `forgetSettings` was called in the meantime.
  if (databases.get(db) === kept && !db.isTransaction) databases.set(db, { ...state, settings })
  return settings
}

/** Another process has changed the settings, or this one just has. */
export function forgetSettings(db: Db): void {
  // A new object, so that a read that has begun before does not replace it.
  databases.set(db, {
    settings: { ...defaultSettings, version: -1, changedAt: {} },
    version: NaN,
    at: -Infinity,
  })
}

// Calls of visitors run it after each change of the database.
const versionQuery = prepareFirst((db) =>
  db.selectFrom('settings').select((eb) => eb.fn.max<number | null>('version').as('version')),
)

const strict: Partial<Settings> = {
  registration: { ...defaultSettings.registration, mode: 'closed' },
  visitorsMayRead: false,
}

/** Parsed only if they have changed since `known`: pages and lists of domains can be long. */
async function loadSettings(db: Db, known: SiteSettings | undefined): Promise<SiteSettings> {
  const row = await versionQuery(db)
  const version = row?.version ?? 0
  if (known?.version === version) return known
  const rows = await db.selectFrom('settings').selectAll().execute()
  const settings: SiteSettings = { ...defaultSettings, version, changedAt: {} }
  for (const { key, value, updated_at } of rows) {
    const name = settingNames.find((one) => one === key)
    if (name === undefined) continue
    const parsed = settingSchemas[name].safeParse(JSON.parse(value))
    // The default, unless that would open what is closed.
    Object.assign(settings, {
      [name]: parsed.success ? parsed.data : (strict[name] ?? defaultSettings[name]),
    })
    if (parsed.success) settings.changedAt[name] = updated_at
  }
  return settings
}
