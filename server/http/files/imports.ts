import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTick } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { importFileBytesMax, importsMax, importsOpenMax } from '#shared/domain/limits.ts'
import type { ImportService } from '#shared/domain/import-formats.ts'
import { defaultImportOptions } from '#shared/contracts/imports.ts'
import { messages } from '#shared/texts/messages.ts'
import { lockKeys } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { ImportRow } from '#server/imports/tables.ts'
import { openNetworkQuotas } from '#server/process/addresses.ts'
import { runOnce } from '#server/http/doors/idempotency.ts'
import type { Calls } from '#server/http/doors/calls.ts'
import { serveFile } from '#server/http/doors/file.ts'
import { acceptForms, receiveFile, requireForm } from '#server/http/doors/multipart.ts'
import { openConcurrencyLimit } from '#server/process/concurrency-limit.ts'
import type { Disk } from '#server/process/disk.ts'
import type { Services } from '#server/calls/context.ts'
import { badRequest, busy, conflict, TooManyRequests } from '#server/calls/errors.ts'
import { found, loggedIn, requireSpace } from '#server/calls/procedures.ts'
import { sheetLine } from '#server/export/csv-line.ts'
import { pagesOf } from '#server/db/pages.ts'
import type { FileSummary } from '#server/imports/read/file.ts'
import { readInChild } from '#server/imports/read/child.ts'
import { newFacts } from '#server/imports/facts.ts'
import { reading } from '#server/imports/states.ts'
import { findImport, insertImport, listImports, updateImport } from '#server/imports/store.ts'
import { selectLines } from '#server/imports/read/lines-store.ts'
import { addLines, checkUsage } from '#server/imports/limits.ts'
import { showImport, toLine } from '#server/imports/view.ts'
import { removeWholeImport } from '#server/imports/work.ts'

const readersMax = 2
const readerWaitMaxMs = 20_000
/** From the first byte to the response: of a member, of an IPv4 address or IPv6 /64, of an IPv6 /48, and in total. */
const uploadsOfMemberMax = 2
const uploadShares = [4, 12]
const uploadsMax = 32
const temporaryBytesMax = 256 * 1024 * 1024
const uploadsBusySeconds = 5
const fileNameMax = 200

/** Not procedures: a body and a response are files. */
export async function registerImports(
  app: FastifyInstance,
  { db, disk, imports, sources }: Services,
  calls: Calls,
): Promise<void> {
  const withReader = openConcurrencyLimit({ concurrency: readersMax, waitMaxMs: readerWaitMaxMs })
  const takeUpload = openUploads()

  serveFile(
    app,
    calls,
    {
      method: 'GET',
      url: '/imports/:id/report',
      meta: { requiresMember: true, scope: 'read', cost: 10 },
    },
    async ({ ctx, request, reply }) => {
      const { id: userId } = loggedIn(ctx)
      const { id: text } = request.params as { id: string }
      if (!/^[1-9]\d{0,14}$/.test(text)) throw badRequest(messages.invalidRequest)
      const id = Number(text)
      const row = found(await findImport(db, userId, id), messages.importNotFound)
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="medley-import-${row.id}.csv"`)
        .send(Readable.from(reportOf(db, row)))
    },
  )

  await app.register(async (scope) => {
    await acceptForms(scope, importFileBytesMax)
    const route = {
      method: 'POST',
      url: '/imports',
      meta: { requiresMember: true, scope: 'imports', cost: 10 },
      bodyLimit: importFileBytesMax + 100_000,
    } as const
    serveFile(scope, calls, route, async ({ ctx, request, reply }) => {
      const member = loggedIn(ctx)
      await ctx.limit('import', String(member.id))
      requireForm(request, messages.importMissing)
      await requireSpace({ disk }, messages.importsNoRoom)
      const release = takeUpload(request, ctx.address, member.id)
      const gone = goneSignal(reply)
      let folder: string | undefined
      try {
        folder = await mkdtemp(join(tmpdir(), 'medley-import-'))
        // A repeated request gets its response even if its import is the last one allowed.
        if (request.headers['idempotency-key'] === undefined) await checkLimits(db, member.id, ctx.now)
        const file = await receiveTo(join(folder, 'file'), request)
        const content = () => `import ${file.hash}`
        const { status, body } = await runOnce(request, reply, ctx, { content }, async ({ claimKey }) => {
          const marking = (await claimKey?.(member)) ?? db
          const id = await withReader(() =>
            createImport(marking, member.id, { ...file, disk, signal: gone, now: ctx.now }),
          )
          imports.wake()
          const row = found(await findImport(db, member.id, id))
          return { status: 201, body: JSON.stringify(await showImport({ db, sources }, row)) }
        })
        const { import: created } = JSON.parse(body) as { import?: { id: number } }
        if (created) reply.header('location', `/imports/${created.id}`)
        return await reply.status(status).type('application/json; charset=utf-8').send(body)
      } finally {
        release()
        if (folder !== undefined) await rm(folder, { recursive: true, force: true })
      }
    })
  })
}

/**
 * Counts until the returned function is called. Throws TOO_MANY_REQUESTS if the member or the address has too many, SERVICE_UNAVAILABLE if
 * all together do.
 */
function openUploads() {
  const ofAddresses = openNetworkQuotas(uploadShares)
  const uploads = new Set<{ memberId: number; size: number }>()
  return ({ headers }: FastifyRequest, address: string, memberId: number): (() => void) => {
    const own = [...uploads].filter((upload) => upload.memberId === memberId)
    if (own.length >= uploadsOfMemberMax || ofAddresses.wouldExceed(address))
      throw new TooManyRequests(uploadsBusySeconds)
    // A body without a length may be as long as any.
    const size = Math.min(Number(headers['content-length'] ?? Infinity), importFileBytesMax)
    const bytes = [...uploads].reduce((sum, upload) => sum + upload.size, size)
    if (uploads.size >= uploadsMax || bytes > temporaryBytesMax) throw busy()
    const release = ofAddresses.take(address)
    const upload = { memberId, size }
    uploads.add(upload)
    return () => {
      release()
      uploads.delete(upload)
    }
  }
}

/** Aborts when the client leaves before it has the response. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) leaving.abort()
  })
  return leaving.signal
}

type ReceivedFile = { path: string; bytes: number; name: string; hash: string }

async function receiveTo(path: string, request: FastifyRequest): Promise<ReceivedFile> {
  const refusals = { tooLarge: messages.importTooLarge, missing: messages.importMissing }
  const file = await receiveFile(request, 'file', refusals, (pieces) =>
    pipeline(pieces, createWriteStream(path)),
  )
  if (file.bytes === 0) throw badRequest(messages.importEmpty)
  return { path, ...file }
}

/** Throws CONFLICT for too many imports or bytes, TOO_MANY_REQUESTS if they have added too much. */
async function checkLimits(db: Db, userId: number, now: Date): Promise<void> {
  const all = await listImports(db, userId)
  const open = all.filter(({ state, applied_at }) => state !== 'undone' && applied_at === null)
  if (all.length >= importsMax || open.length >= importsOpenMax) throw conflict(messages.importsWaiting)
  await checkUsage(db, userId, now)
}

/** The worker then goes on with the import. If reading fails or `signal` aborts, nothing is left. */
async function createImport(
  db: Db,
  userId: number,
  file: ReceivedFile & { disk: Disk; signal: AbortSignal; now: Date },
): Promise<number> {
  const { now } = file
  const row = { id: 0, user_id: userId, bytes: 0 }
  try {
    for await (const message of readInChild(file, file.signal)) {
      if ('summary' in message) row.id = await beginImport(db, userId, message, file)
      else if ('lines' in message) {
        await requireSpace(file, messages.importsNoRoom)
        row.bytes = await addLines(db, row, message.lines, now)
        await nextTick()
      }
    }
    const at = now.toISOString()
    await updateImport(db, row.id, { state: 'matching', next_at: at, updated_at: at })
    return row.id
  } catch (error) {
    if (row.id !== 0) await removeWholeImport(db, row.id, now)
    throw error
  }
}

async function beginImport(
  db: Db,
  userId: number,
  { service, summary }: { service: ImportService; summary: FileSummary },
  { name, hash, now }: ReceivedFile & { now: Date },
): Promise<number> {
  const at = now.toISOString()
  return db.transaction().execute(async (trx) => {
    await lockKeys(trx, [`imports of ${userId}`])
    await checkLimits(trx, userId, now)
    return insertImport(trx, {
      user_id: userId,
      service,
      file_name: cleanName(name),
      file_hash: hash,
      options: JSON.stringify({ ...defaultImportOptions, ...summary.options }),
      facts: JSON.stringify({ ...newFacts(summary), hasHalves: false }),
      total: summary.lines,
      ...reading(now),
      created_at: at,
      updated_at: at,
    })
  })
}

function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!
  const letters = Array.from(last.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ''))
  return letters.slice(0, fileNameMax).join('')
}

async function* reportOf(db: Db, { id }: ImportRow): AsyncGenerator<string> {
  yield `\ufeff${sheetLine(['File', 'Line', 'Name', 'Outcome', 'Title', 'Note'])}`
  for await (const rows of pagesOf(selectLines(db, id), ['import_lines.id']))
    yield rows
      .map((row) => {
        const { file, line, name, state, note } = toLine(row)
        return sheetLine([file, line, name, state, row.media_id, note])
      })
      .join('')
}
