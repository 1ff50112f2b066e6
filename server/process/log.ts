import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * JSON lines on standard output, or on `stream`. A line holds ids, paths without their queries, and errors; never an
 * e-mail, a token, an address of the network or what somebody typed.
 */
export function openLog(level: string, stream?: DestinationStream): Logger {
  const options = {
    level,
    // The name of the machine says nothing that whoever keeps the log does not know.
    base: { pid: process.pid },
    // Fastify hands in whole requests where a connection breaks; these would name the client's address and its query.
    serializers: {
      err: (error: unknown) => describeError(error),
      req: nothing,
      res: nothing,
      busboyOptions: nothing,
    },
  }
  return stream ? pino(options, stream) : pino(options)
}

/** Whether an answer of this type is events as they happen: how long it takes is up to its reader. */
export function isStream(contentType: unknown): boolean {
  return String(contentType).startsWith('text/event-stream')
}

const nothing = () => undefined

type Described = Record<'type' | 'message', string> & Record<string, unknown>

/** The fields that say what went wrong and where; others hold values of rows (Postgres's `detail`) or raw bytes of a request. */
function describeError(error: unknown, depth = 0): Described | undefined {
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
