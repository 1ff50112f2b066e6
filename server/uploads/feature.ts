import type { Db } from '#server/db/open.ts'
import type { Feature } from '#server/feature.ts'
import { removePictures } from './orphans.ts'
import type { PictureStorage } from './pictures.ts'
import { disownUploads, listUploadsOf, takePicture } from './store.ts'

export const uploads: Feature = { deletion: [{ table: 'uploads', owner: 'owner_id', remove: removeUploads }] }

/** Pictures that titles show stay, without an owner. */
async function removeUploads(
  db: Db,
  userId: number,
  limit: number,
  storage: PictureStorage,
): Promise<number> {
  const picture = await db.transaction().execute((trx) => takePicture(trx, userId))
  // A picture uploaded at sign-up has no owner, so the list of uploads lacks it.
  if (picture) await removePictures(db, storage, [picture])
  const paths = await listUploadsOf(db, userId, limit)
  if (paths.length === 0) return 0
  await removePictures(db, storage, paths)
  await disownUploads(db, paths)
  return paths.length
}
