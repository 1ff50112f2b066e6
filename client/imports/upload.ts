import { endSession, getSession } from '#client/app/session.ts'
import type { ImportDetail } from '#shared/contracts/imports.ts'
import { languageHeader } from '#shared/domain/languages.ts'
import { language } from '#shared/domain/message.ts'
import { messages } from '#shared/texts/messages.ts'

/** The largest file at the least throughput that the server accepts. */
const timeoutMs = 20 * 60_000

/**
 * Progress is a fraction; 1 means that the server reads the file. Throws an `Error` with a message for users, or an `AbortError`. `fetch`
 * reports no progress of uploads.
 */
export function uploadImport(
  file: File,
  { onProgress, signal }: { onProgress: (sent: number) => void; signal: AbortSignal },
): Promise<ImportDetail> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportDetail>()
  const authorization = `Bearer ${getSession()?.token}`
  const form = new FormData()
  form.append('file', file)
  const request = new XMLHttpRequest()
  request.open('POST', '/imports')
  request.setRequestHeader('accept', 'application/json')
  request.setRequestHeader('authorization', authorization)
  request.setRequestHeader(languageHeader, language)
  request.responseType = 'json'
  request.timeout = timeoutMs
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress(total > 0 ? loaded / total : 0),
  )
  request.addEventListener('load', () => {
    const body = request.response as { import?: ImportDetail; message?: string } | null
    if (request.status === 201 && body?.import) return resolve(body.import)
    if (request.status === 401) endSession(authorization)
    // A proxy in front of the server may have a lower limit, and a response of its own.
    const fallback = request.status === 413 ? messages.importTooLarge : messages.requestFailed
    reject(new Error(body?.message ?? fallback))
  })
  for (const type of ['error', 'timeout'])
    request.addEventListener(type, () => reject(new Error(messages.networkError)))
  request.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')))
  signal.addEventListener('abort', () => request.abort())
  request.send(form)
  return promise
}
