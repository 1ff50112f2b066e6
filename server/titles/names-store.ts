import type { DescribedName } from '#shared/domain/title-names.ts'
import { isOneOf } from '#server/db/dialect.ts'
import { nameKey } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { insertNew } from '#server/db/rows.ts'
import type { TitleNameRow } from './tables.ts'

export async function listNames(db: Db, titleIds: readonly number[]): Promise<TitleNameRow[]> {
  if (titleIds.length === 0) return []
  return db
    .selectFrom('title_names')
    .selectAll()
    .where(isOneOf(db, 'media_id', titleIds))
    .orderBy('media_id')
    .orderBy('kind')
    .orderBy('language')
    .orderBy('name')
    .execute()
}

/** Original and romanised names, and the local ones of a language with its regions, with their texts. */
export async function listShownNames(
  db: Db,
  titleIds: readonly number[],
  language: string,
): Promise<TitleNameRow[]> {
  const [base] = language.split('-', 1)
  return db
    .selectFrom('title_names')
    .selectAll()
    .where(isOneOf(db, 'media_id', titleIds))
    .where((eb) =>
      eb.or([
        eb('kind', 'in', ['original', 'romanised']),
        eb.and([
          eb('kind', '=', 'local'),
          eb.or([eb('language', '=', base!), eb('language', 'like', `${base}-%`)]),
        ]),
      ]),
    )
    .orderBy('media_id')
    .orderBy('language')
    .orderBy('name')
    .execute()
}

export async function replaceNames(
  trx: Db,
  titleId: number,
  source: string,
  names: readonly DescribedName[],
): Promise<void> {
  await trx.deleteFrom('title_names').where('media_id', '=', titleId).where('source', '=', source).execute()
  if (names.length === 0) return
  await insertNew(
    trx,
    'title_names',
    names.map(({ kind, language, name, overview = null, tagline = null }) => ({
      media_id: titleId,
      source,
      kind,
      language,
      name,
      name_key: nameKey(name),
      overview,
      tagline,
    })),
  )
}
