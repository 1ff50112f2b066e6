import { type DestinationStream, type Logger, pino } from 'pino'

/** The longest write to a pipe that other processes’ writes cannot split: several workers share one. */
const writtenBytesMax = 4_096
/** Lines wait until there are this many bytes, or this many milliseconds. A write per line would be a fifth of a cached response. */
const [batchBytes, batchMs] = [3_500, 250]
/** Lines that wait while nothing can be written (a closed terminal, a full disk). Further ones are dropped. */
const waitingBytesMax = 1_000_000

/** Opens standard output or a file for writing in batches. What waits is written when the process exits, unless it is killed. */
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
 * Opens the log: JSON lines on standard output, or on `stream`. Lines contain ids, paths without the query string, and errors;
 * never an email, a token or user input, and the client’s address only in the
 * lines of requests (LOG_CLIENTS).
 */
export function openLog(level: string, stream: DestinationStream = openDestination()): Logger {
  const options = {
    level,
    // Without the host name, which log collectors add themselves.
    base: { pid: process.pid },
    // Fastify logs whole requests if a connection breaks, with the client’s address and query string.
    serializers: {
      err: (error: unknown) => describeError(error),
      req: omit,
      res: omit,
      busboyOptions: omit,
    },
  }
  return pino(options, stream)
}

/** Whether a response with this content type is a live stream (server-sent events): its duration depends on the client. */
export function isStream(contentType: unknown): boolean {
  return String(contentType).startsWith('text/event-stream')
}

const omit = () => undefined

type LoggedError = Record<'type' | 'message', string> & Record<string, unknown>

/** Returns the loggable fields of an error. Others may contain values of rows (Postgres’s `detail`) or raw bytes of a request. */
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
