import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTick } from 'node:timers/promises'
import multipart from '@fastify/multipart'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { importFileBytesMax, importsMax, importsOpenMax } from '#shared/limits.ts'
import { defaultImportOptions } from '#shared/imports.ts'
import { messages } from '#shared/messages.ts'
import { lockKeys } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { ImportRow } from '#server/db/tables.ts'
import { withBodyTimeout } from '#server/http/body-timeout.ts'
import { runOnce } from '#server/http/idempotency.ts'
import type { Context, Services } from '#server/trpc/context.ts'
import { busy } from '#server/trpc/errors.ts'
import { found, loggedIn, requireScope } from '#server/trpc/procedures.ts'
import { sheetLine } from './csv-line.ts'
import { newFacts } from './facts.ts'
import type { OpenedFile } from './formats/reading.ts'
import { openImport } from './read.ts'
import { countImports, findImport, insertImport, updateImport } from './store.ts'
import { insertLines, listReportLines } from './lines-store.ts'
import { toImport, toLine } from './view.ts'
import { readingMaxMs, removeWholeImport } from './work.ts'

/** Concurrent uploads in this process: each reads a file for some seconds. */
const inFlightMax = 2
const fileNameMax = 200
/** A batch of lines that is stored at once. */
const batchLines = 500
const batchBytes = 512 * 1024
const reportBatch = 500

type NewContext = (request: FastifyRequest) => Promise<Context>

/** Registers `POST /imports`, whose body is a file, and `GET /imports/{id}/report`, which returns one. Neither is a procedure. */
export async function registerImports(
  app: FastifyInstance,
  { db, imports, sources }: Services,
  createContext: NewContext,
): Promise<void> {
  let inFlight = 0

  app.get<{ Params: { id: string } }>('/imports/:id/report', async (request, reply) => {
    const ctx = await createContext(request)
    const { id: userId } = loggedIn(ctx)
    requireScope(ctx, 'read')
    if (!/^[1-9]\d{0,14}$/.test(request.params.id))
      throw new TRPCError({ code: 'BAD_REQUEST', message: messages.invalidRequest })
    const id = Number(request.params.id)
    const row = found(await findImport(db, userId, id), messages.importNotFound)
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="medley-import-${row.id}.csv"`)
      .send(Readable.from(reportOf(db, row)))
  })

  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: importFileBytesMax, files: 1, fields: 4, parts: 5, fieldSize: 1_000 },
    })
    scope.post('/imports', { bodyLimit: importFileBytesMax + 100_000 }, async (request, reply) => {
      const ctx = await createContext(request)
      const member = loggedIn(ctx)
      requireScope(ctx, 'imports')
      await ctx.limit('import', String(member.id))
      if (!request.isMultipart())
        throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: messages.importMissing })
      if (inFlight >= inFlightMax) throw busy()
      inFlight++
      const folder = await mkdtemp(join(tmpdir(), 'medley-import-'))
      try {
        // A repeated request gets its response even if the import that it began is the last one allowed.
        if (request.headers['idempotency-key'] === undefined) await checkQuota(db, member.id)
        const file = await withBodyTimeout(request, reply, receiveFile(request, join(folder, 'file')))
        const content = () => `import ${file.hash}`
        const { status, body } = await runOnce(request, reply, ctx, { content }, async ({ claimKey }) => {
          const marking = (await claimKey?.(member)) ?? db
          const opened = await openImport(file)
          const id = await createImport(marking, member.id, { ...file, opened, now: ctx.now })
          imports.wake()
          const row = found(await findImport(db, member.id, id))
          return { status: 201, body: JSON.stringify({ import: toImport(row, sources.lookups) }) }
        })
        const { import: created } = JSON.parse(body) as { import?: { id: number } }
        if (created) reply.header('location', `/imports/${created.id}`)
        return await reply.status(status).type('application/json; charset=utf-8').send(body)
      } finally {
        inFlight--
        await rm(folder, { recursive: true, force: true })
      }
    })
  })
}

type ReceivedFile = { path: string; bytes: number; name: string; hash: string }

/** Writes the file of a form to `path`. */
async function receiveFile(request: FastifyRequest, path: string): Promise<ReceivedFile> {
  let file: ReceivedFile | undefined
  try {
    for await (const part of request.files()) {
      const hash = createHash('sha256')
      let bytes = 0
      const counter = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk)
          bytes += chunk.length
          done(null, chunk)
        },
      })
      await pipeline(part.file, counter, createWriteStream(path))
      if (part.file.truncated)
        throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: messages.importTooLarge })
      if (part.fieldname === 'file') file = { path, bytes, name: part.filename, hash: hash.digest('hex') }
    }
  } catch (error) {
    if (error instanceof TRPCError || (error as NodeJS.ErrnoException).syscall) throw error
    const isTooLarge = (error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE'
    throw isTooLarge
      ? new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: messages.importTooLarge })
      : new TRPCError({ code: 'BAD_REQUEST', message: messages.importMissing })
  }
  if (!file) throw new TRPCError({ code: 'BAD_REQUEST', message: messages.importMissing })
  if (file.bytes === 0) throw new TRPCError({ code: 'BAD_REQUEST', message: messages.importEmpty })
  return file
}

/** Throws CONFLICT if the member has too many imports. */
async function checkQuota(db: Db, userId: number): Promise<void> {
  const { all, open } = await countImports(db, userId)
  if (all >= importsMax || open >= importsOpenMax)
    throw new TRPCError({ code: 'CONFLICT', message: messages.importsWaiting })
}

/** Stores the lines of a file as an import, which the worker then goes on with. Returns its id. */
async function createImport(
  db: Db,
  userId: number,
  { opened, name, hash, now }: ReceivedFile & { opened: OpenedFile; now: Date },
): Promise<number> {
  const at = now.toISOString()
  const id = await db.transaction().execute(async (trx) => {
    await lockKeys(trx, [`imports of ${userId}`])
    await checkQuota(trx, userId)
    return insertImport(trx, {
      user_id: userId,
      service: opened.service,
      file_name: cleanName(name),
      file_hash: hash,
      options: '{}',
      facts: JSON.stringify(newFacts({ columns: [], shelves: [], lines: 0 })),
      state: 'reading',
      next_at: new Date(now.getTime() + readingMaxMs).toISOString(),
      created_at: at,
      updated_at: at,
    })
  })
  try {
    const lines = await storeLines(db, id, opened)
    if (lines === 0) throw new TRPCError({ code: 'BAD_REQUEST', message: messages.importEmpty })
    const { columns, shelves, options } = opened.facts()
    await updateImport(db, id, {
      state: 'matching',
      total: lines,
      facts: JSON.stringify(newFacts({ columns, shelves, lines })),
      options: JSON.stringify({ ...defaultImportOptions, ...options }),
      next_at: at,
      updated_at: at,
    })
    return id
  } catch (error) {
    await removeWholeImport(db, id)
    throw error
  }
}

/** Returns the number of lines. */
async function storeLines(db: Db, importId: number, opened: OpenedFile): Promise<number> {
  let count = 0
  let bytes = 0
  let batch: Parameters<typeof insertLines>[1][number][] = []
  const flush = async () => {
    await insertLines(db, batch)
    batch = []
    bytes = 0
    await nextTick()
  }
  for await (const row of opened.rows()) {
    const { file, line } = row
    const raw = 'raw' in row ? JSON.stringify(row.raw) : ''
    const ofLine =
      'raw' in row ? { state: null, note: null } : { state: 'unreadable' as const, note: row.problem }
    batch.push({ import_id: importId, title_id: null, file, line, raw, ...ofLine })
    count++
    bytes += raw.length
    if (batch.length >= batchLines || bytes >= batchBytes) await flush()
  }
  if (batch.length > 0) await flush()
  return count
}

/** Returns the name of a file without control characters and folders. */
function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!
  const letters = Array.from(last.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ''))
  return letters.slice(0, fileNameMax).join('')
}

async function* reportOf(db: Db, { id }: ImportRow): AsyncGenerator<string> {
  yield `\ufeff${sheetLine(['File', 'Line', 'Name', 'Outcome', 'Title', 'Note'])}`
  let after = 0
  for (;;) {
    const rows = await listReportLines(db, id, after, reportBatch)
    if (rows.length === 0) return
    after = rows.at(-1)!.id
    await nextTick()
    yield rows
      .map((row) => {
        const { file, line, name, state, note } = toLine(row)
        return sheetLine([file, line, name, state, row.media_id, note])
      })
      .join('')
  }
}
