import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { uploadWidths } from '#shared/domain/images.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { aMember, anUpload, aServer, aTitle, plansOf } from '#server/testing.ts'
import { removeAnonymous, removeOrphans } from './orphans.ts'
import { folderStorage } from './storage.ts'
import { holdUpload, listUploads, removeUnused } from './store.ts'

const { db, config } = await aServer()
const storage = folderStorage(config.dataDir)
const folder = join(config.dataDir, 'uploads')
const hour = 60 * 60_000
const now = new Date('2026-06-01T12:00:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const dayAgo = ago(24 * hour + 1)

const owner = await aMember(db)

beforeEach(async () => {
  await db.deleteFrom('uploads').execute()
  mkdirSync(folder, { recursive: true })
})

function aFile(name: string, at: Date): string {
  writeFileSync(join(folder, name), 'picture')
  utimesSync(join(folder, name), at, at)
  return name
}

/** An upload with its files, as `POST /upload` creates it. */
async function aPicture(name: string, at = dayAgo): Promise<string> {
  for (const width of uploadWidths) aFile(`${name}-${width}.webp`, at)
  return anUpload(db, { path: `/uploads/${name}-1280.webp`, at, ownerId: owner.id })
}

const paths = async () =>
  (await db.selectFrom('uploads').select('path').orderBy('id').execute()).map(({ path }) => path)
const filesOf = (name: string) => readdirSync(folder).filter((file) => file.startsWith(name))

describe('uploads', () => {
  test('an upload that is not in use is removed after a day, with its files', async () => {
    await aPicture('old')
    const young = await aPicture('young', ago(23 * hour))
    expect(await removeOrphans(db, storage, now)).toEqual({ uploads: 1, files: 0 })
    expect(await paths()).toEqual([young])
    expect(filesOf('old')).toEqual([])
    expect(filesOf('young')).toHaveLength(4)
  })

  test('an upload that is in use as an avatar, a cover or a backdrop is never removed', async () => {
    const used = await Promise.all(
      ['face', 'cover', 'wide'].map((name) => aPicture(name, ago(400 * 24 * hour))),
    )
    const { id } = await aMember(db)
    const titleId = await aTitle(db)
    await db.updateTable('users').set({ picture: used[0]! }).where('id', '=', id).execute()
    await db
      .updateTable('media')
      .set({ image: used[1]!, backdrop: used[2]! })
      .where('id', '=', titleId)
      .execute()
    expect(await removeOrphans(db, storage, now)).toEqual({ uploads: 0, files: 0 })
    expect((await paths()).sort()).toEqual(used.sort())

    await db.updateTable('users').set({ picture: null }).where('id', '=', id).execute()
    expect(await removeOrphans(db, storage, now)).toEqual({ uploads: 1, files: 0 })
    expect(filesOf('face')).toEqual([])
    expect(filesOf('cover')).toHaveLength(4)
  })

  test('an anonymous upload that is not in use is removed after an hour, one that is in use or belongs to a member is not', async () => {
    const of = (name: string, ms: number, ownerId: number | null = null) => {
      for (const width of uploadWidths) aFile(`${name}-${width}.webp`, ago(ms))
      return anUpload(db, { path: `/uploads/${name}-320.webp`, at: ago(ms), ownerId })
    }
    await of('anonymous-old', hour + 1)
    const remaining = [
      await of('anonymous-young', hour - 1),
      await of('anonymous-used', hour + 1),
      await of('owned', hour + 1, owner.id),
    ]
    const { id } = await aMember(db)
    await db.updateTable('users').set({ picture: remaining[1]! }).where('id', '=', id).execute()
    expect(await removeAnonymous(db, storage, now)).toEqual({ uploads: 1, files: 0 })
    expect(await paths()).toEqual(remaining)
    expect(filesOf('anonymous-old')).toEqual([])
    expect(filesOf('anonymous-used')).toHaveLength(4)
  })

  test('more uploads than fit in a batch are all removed', async () => {
    for (let index = 0; index < 250; index++) await anUpload(db, { at: dayAgo })
    const young = await anUpload(db, { at: now })
    expect(await removeOrphans(db, storage, now)).toMatchObject({ uploads: 250 })
    expect(await paths()).toEqual([young])
  })

  test('an upload that a concurrent transaction starts to use is not removed', async () => {
    const member = await aMember(db)
    const path = await aPicture('taken')
    let removal!: Promise<unknown>
    await db.transaction().execute(async (trx) => {
      expect(await holdUpload(trx, path)).toBe(true)
      // Starts before the change is committed.
      removal = removeOrphans(db, storage, now)
      if (!isSqlite(db)) await wait(200)
      await trx.updateTable('users').set({ picture: path }).where('id', '=', member.id).execute()
    })
    await removal
    expect(await paths()).toContain(path)
    expect(filesOf('taken')).toHaveLength(4)
  })

  test('an upload that is being removed cannot be used', async () => {
    const path = await aPicture('going')
    let hold!: Promise<boolean>
    await db.transaction().execute(async (trx) => {
      expect(await removeUnused(trx, [path])).toEqual([path])
      hold = db.transaction().execute((other) => holdUpload(other, path))
    })
    expect(await hold).toBe(false)
  })

  test('concurrent profile changes and removals never leave a profile with a removed picture', async () => {
    const uploads: string[] = []
    // One after another: their files are written synchronously.
    for (let index = 0; index < 40; index++) uploads.push(await aPicture(`race-${index}`))
    const members = await Promise.all(uploads.map(() => aMember(db)))
    const take = (index: number) =>
      db.transaction().execute(async (trx) => {
        if (!(await holdUpload(trx, uploads[index]!))) return
        await trx
          .updateTable('users')
          .set({ picture: uploads[index]! })
          .where('id', '=', members[index]!.id)
          .execute()
      })
    const takes = uploads.map((_, index) => index)
    await Promise.all([
      ...takes.slice(0, 20).map(take),
      removeOrphans(db, storage, now),
      removeOrphans(db, storage, now),
      ...takes.slice(20).map(take),
    ])
    const left = await paths()
    const { picked } = await db
      .selectFrom('users')
      .select((eb) => eb.fn.count<number>('id').as('picked'))
      .where('picture', 'like', '/uploads/race-%')
      .executeTakeFirstOrThrow()
    const lost = await db
      .selectFrom('users')
      .select('picture')
      .where('picture', 'like', '/uploads/race-%')
      .where('picture', 'not in', left.length > 0 ? left : [''])
      .execute()
    expect(lost).toEqual([])
    expect(left).toHaveLength(picked)
    for (const path of left) expect(existsSync(join(config.dataDir, path))).toBe(true)
  })

  test.runIf(isSqlite(db))('whether an upload is in use is looked up in an index', async () => {
    const plans = await plansOf(db, (recorded) =>
      listUploads(recorded, { after: 0, before: now, limit: 100 }),
    )
    expect(plans.filter((plan) => plan.startsWith('SCAN'))).toEqual([])
  })
})

describe('files', () => {
  test('that belong to no upload are removed after a day, including temporary ones', async () => {
    const gone = [
      aFile('lost-160.webp', dayAgo),
      aFile('lost-320.webp', dayAgo),
      aFile('.half-320.webp.0a1b2c3d', dayAgo),
    ]
    const remaining = [aFile('new-160.webp', ago(hour)), aFile('.new-160.webp.0a1b2c3d', ago(hour))]
    expect(await removeOrphans(db, storage, now)).toEqual({ uploads: 0, files: 3 })
    const left = readdirSync(folder)
    for (const file of gone) expect(left).not.toContain(file)
    for (const file of remaining) expect(left).toContain(file)
  })

  test('that are in use or not pictures are not removed', async () => {
    const remaining = ['shown-160.webp', '.gitkeep', 'notes.txt', 'photo.webp'].map((name) =>
      aFile(name, ago(1000 * hour)),
    )
    mkdirSync(join(folder, 'folder-160.webp'), { recursive: true })
    // As after a partial restore: no row in uploads, but a member has the picture.
    const { id } = await aMember(db)
    await db.updateTable('users').set({ picture: '/uploads/shown-640.webp' }).where('id', '=', id).execute()
    expect(await removeOrphans(db, storage, now)).toEqual({ uploads: 0, files: 0 })
    for (const file of [...remaining, 'folder-160.webp']) expect(readdirSync(folder)).toContain(file)
  })

  test('are not required: before the first upload there is no folder', async () => {
    expect(await removeOrphans(db, folderStorage(join(config.dataDir, 'empty')), now)).toMatchObject({
      files: 0,
    })
  })
})
