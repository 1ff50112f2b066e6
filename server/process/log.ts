import { type DestinationStream, type Logger, pino } from 'pino'

/** Other processes’ writes cannot split it: several workers share a pipe. */
const writtenBytesMax = 4_096
/** A write per line would be a fifth of a cached response. */
const [batchBytes, batchMs] = [3_500, 250]
/** While nothing can be written (a closed terminal, a full disk). Further lines are dropped. */
const waitingBytesMax = 1_000_000

/** Batches are written at the exit too, unless the process is killed. */
export function openDestination(path?: string): ReturnType<typeof pino.destination> {
  const destination = pino.destination({
    ...(path !== undefined && { dest: path }),
    sync: false,
    minLength: batchBytes,
    maxWrite: writtenBytesMax,
    maxLength: waitingBytesMax,
    periodicFlush: batchMs,
  })
  // After a failed write, pino would retry the synchronous flush at exit endlessly.
  destination.on('error', () => (destination.flushSync = () => {}))
  return destination
}

/**
 * Lines contain ids, paths without the query string, and errors; never an email, a token or user input, and the client’s address only in
 * the lines of requests (LOG_CLIENTS).
 */
export function openLog(level: string, stream: DestinationStream = openDestination()): Logger {
  const options = {
    level,
    // Log collectors add the host name.
    base: { pid: process.pid },
    // Fastify logs whole requests if a connection breaks, with address and query string.
    serializers: {
      err: (error: unknown) => describeError(error),
      req: omit,
      res: omit,
      busboyOptions: omit,
    },
  }
  return pino(options, stream)
}

/** Server-sent events: the duration depends on the client. */
export function isStream(contentType: unknown): boolean {
  return String(contentType).startsWith('text/event-stream')
}

const omit = () => undefined

type LoggedError = Record<'type' | 'message', string> & Record<string, unknown>

/** Other fields may contain values of rows (Postgres’s `detail`) or raw bytes of a request. */
function describeError(error: unknown, depth = 0): LoggedError | undefined {
  if (!(error instanceof Error)) return error === undefined ? undefined : { type: typeof error, message: '' }
  const { code, constraint, table } = error as Error & Record<string, unknown>
  return {
    type: error.name,
    message: error.message,
    code,
    constraint,
    table,
    stack: error.stack,
    cause: depth < 3 && error.cause !== undefined ? describeError(error.cause, depth + 1) : undefined,
  }
}
