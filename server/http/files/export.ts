import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ZipFile } from 'yazl'
import { z } from 'zod'
import { exportFormats } from '#shared/contracts/export.ts'
import { exportFormat, isExportService } from '#shared/domain/export-formats.ts'
import { messages } from '#shared/texts/messages.ts'
import { id } from '#shared/contracts/scalars.ts'
import { audit } from '#server/calls/audit.ts'
import { busy, TooManyRequests } from '#server/calls/errors.ts'
import { requireProof } from '#server/accounts/reauthenticate.ts'
import type { Context, Services } from '#server/calls/context.ts'
import { found, loggedIn, type Meta } from '#server/calls/procedures.ts'
import type { Calls } from '#server/http/doors/calls.ts'
import { serveFile } from '#server/http/doors/file.ts'
import { openExports } from '#server/export/files.ts'
import { findExportingMember } from '#server/export/store.ts'
import type { Export, ExportFiles } from '#server/export/titles.ts'

/** Each compresses, and holds the ids of its titles and a few hundred rows. */
const exportsMax = 4
const runningRetrySeconds = 10
/** The idle timeout of the connection ends a client that does not read at all. */
const exportMaxMs = 30 * 60_000
/** On average. While another member waits, a slower export may be ended, after this time at the earliest. */
const bytesPerSecondMin = 128 * 1024
const placeMinMs = 10_000

const query = z.object({ format: z.enum(exportFormats).default('zip') })

type Subject = { userId: number; record?: () => Promise<void> }

/** Not procedures, because the response is a stream. A member can run one download at a time, whosever data it has. */
export function registerExport(
  app: FastifyInstance,
  { db, replica, config, features }: Services,
  calls: Calls,
): void {
  const exports = openExports(features)
  const running = new Map<number, Running>()
  /** Returns false if all clients read quickly enough. */
  const endSlowest = (now: Date): boolean => {
    const [slowest] = [...running.values()]
      .map(({ end, ...one }) => ({ end, bytesPerSecond: readingSpeedOf(one, now) }))
      .filter(({ bytesPerSecond }) => bytesPerSecond < bytesPerSecondMin)
      .sort((a, b) => a.bytesPerSecond - b.bytesPerSecond)
    slowest?.end()
    return slowest !== undefined
  }

  const own = { requiresMember: true, isForSuspended: true, scope: 'read', cost: 10 } as const
  serve('/export', own, query, async (ctx) => {
    const member = loggedIn(ctx)
    // An access token is a right that the member has confirmed before.
    if (member.scopes === null) await requireProof({ ...ctx, member })
    return { userId: member.id }
  })
  const ofMember = query.extend({ id: z.coerce.number().pipe(id) })
  const forAdmins = { requiresMember: true, role: 'admin', scope: 'admin', cost: 10 } as const
  serve('/admin/members/:id/export', forAdmins, ofMember, async (ctx, { id }) => {
    const admin = loggedIn(ctx)
    const { username } = found(await findExportingMember(db, id), messages.userNotFound)
    const target = { type: 'user' as const, id, name: username }
    const entry = { by: admin, action: 'member.export' as const, target, at: ctx.now }
    return {
      userId: id,
      record: () => db.transaction().execute((trx) => audit(trx, entry)),
    }
  })

  async function filesOf(about: Export, format: Format): Promise<ExportFiles> {
    if (format === 'zip') return exports.filesOf(about)
    if (format !== 'json') return exports.filesFor(format)
    const { 'medley.json': json } = exports.files
    return { 'medley.json': json! }
  }

  function serve<Input extends z.infer<typeof query>>(
    url: string,
    meta: Meta,
    input: z.ZodType<Input>,
    subjectOf: (ctx: Context, input: Input) => Promise<Subject>,
  ): void {
    serveFile(app, calls, { method: 'GET', url, meta, input }, async ({ ctx, input, request, reply }) => {
      const { now, limit } = ctx
      const member = loggedIn(ctx)
      const { userId, record } = await subjectOf(ctx, input)
      const { format } = input
      if (request.method === 'HEAD') return setHeaders(reply, format, now).send()
      if (running.has(member.id)) throw new TooManyRequests(runningRetrySeconds, messages.exportRunning)
      if (running.size >= exportsMax && !endSlowest(now)) throw busy()
      const { socket } = request.raw
      const place: Running = { socket, startedAt: now, bytesBefore: socket.bytesWritten, end: () => {} }
      running.set(member.id, place)
      const leave = () => running.get(member.id) === place && running.delete(member.id)
      try {
        await limit('export', `member ${member.id}`)
        const reader = replica?.readerFor(member.wroteAt ?? '') ?? db
        const about = await exports.begin(reader, userId, config.publicUrl, now)
        if (!about) throw new TRPCError({ code: 'UNAUTHORIZED', message: messages.pleaseLogIn })
        await record?.()
        const stream = toDownload(about, await filesOf(about, format), fileTypeOf(format) === 'zip')
        const timer = setTimeout(() => stream.destroy(new Error('The export took too long.')), exportMaxMs)
        place.end = () => {
          leave()
          stream.destroy(new Error('The client read the export too slowly while others waited.'))
        }
        const release = () => {
          clearTimeout(timer)
          leave()
        }
        // The end of the stream is before the client has received all of it; the client can then start another export.
        stream.once('end', release).once('close', release)
        return setHeaders(reply, format, now).send(stream)
      } catch (error) {
        leave()
        throw error
      }
    })
  }
}

type Running = { socket: Socket; startedAt: Date; bytesBefore: number; end: () => void }

/** `Infinity` if it has just begun, or if the export does not wait for the client. */
function readingSpeedOf({ socket, startedAt, bytesBefore }: Omit<Running, 'end'>, now: Date): number {
  const ms = now.getTime() - startedAt.getTime()
  if (ms < placeMinMs || !socket.writableNeedDrain) return Infinity
  return (socket.bytesWritten - bytesBefore) / (ms / 1_000)
}

type Format = z.infer<typeof query>['format']

const contentTypes = {
  json: 'application/json; charset=utf-8',
  zip: 'application/zip',
  csv: 'text/csv; charset=utf-8',
}

function fileTypeOf(format: Format): keyof typeof contentTypes {
  return isExportService(format) ? exportFormat(format).file : format
}

function setHeaders(reply: FastifyReply, format: Format, now: Date): FastifyReply {
  const type = fileTypeOf(format)
  const name = isExportService(format) ? `medley-for-${format}` : 'medley'
  return reply.headers({
    'content-type': contentTypes[type],
    'content-disposition': `attachment; filename="${name}-${now.toISOString().slice(0, 10)}.${type}"`,
  })
}

function toDownload(about: Export, files: ExportFiles, isZip: boolean): Readable {
  const [only] = Object.values(files)
  return isZip ? zip(about, files) : toStream(only!(about))
}

function zip(about: Export, files: ExportFiles): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let current: Readable | undefined
  zip.once('error', (error: Error) => output.destroy(error))
  output.once('close', () => current?.destroy())
  for (const [name, read] of Object.entries(files))
    zip.addReadStreamLazy(name, { mtime: about.now }, (pass) => {
      current = toStream(read(about))
      pass(null, current)
    })
  zip.end()
  return output
}

function toStream(texts: AsyncGenerator<string>): Readable {
  return Readable.from(texts, { objectMode: false })
}
