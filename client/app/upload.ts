import { getSession } from './session.ts'
import { errorText } from './trpc.ts'
import { languageHeader } from '#shared/domain/languages.ts'
import { requestTimeoutMs, retryDelayMs } from '#shared/domain/limits.ts'
import { language } from '#shared/domain/message.ts'
import { messages } from '#shared/texts/messages.ts'

/** Throws an `Error` with a message for users. */
export async function uploadPicture(file: File): Promise<string> {
  let response = await send(file)
  if (response.status === 0 || response.status >= 500) {
    // Safe to retry: the server removes unused pictures.
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
    response = await send(file)
  }
  const { status, imageUrl, message } = response
  if (typeof imageUrl === 'string') return imageUrl
  if (status === 0) throw new Error(messages.networkError)
  throw new Error(typeof message === 'string' ? message : messages.requestFailed)
}

async function send(file: File): Promise<{ status: number; imageUrl?: unknown; message?: unknown }> {
  const token = getSession()?.token
  const form = new FormData()
  form.append('image', file)
  try {
    const response = await fetch('/upload', {
      method: 'POST',
      credentials: 'omit',
      headers: {
        accept: 'application/json',
        [languageHeader]: language,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: form,
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
    // A response that is not JSON comes from a proxy.
    const body = (await response.json().catch(() => null)) as object | null
    return { ...body, status: response.status }
  } catch {
    return { status: 0 }
  }
}

/** The message of a failed upload is for users; other errors are of tRPC. */
export function uploadErrorText(error: unknown): string {
  return error instanceof Error && error.name !== 'TRPCClientError' ? error.message : errorText(error)
}
