import { endSession, getSession } from './session.ts'
import { languageHeader } from '#shared/domain/languages.ts'
import { language } from '#shared/domain/message.ts'
import { messages } from '#shared/texts/messages.ts'

/** Throws an `Error` with a message for users, and the `reason` of a response in `data`, as a call does. */
export async function download(path: string, type: 'application/zip' | 'text/csv'): Promise<void> {
  // A link would not send the token.
  const authorization = `Bearer ${getSession()?.token}`
  const response = await fetch(path, {
    headers: { accept: type, authorization, [languageHeader]: language },
    credentials: 'omit',
  }).catch(() => undefined)
  if (!response) throw new Error(messages.networkError)
  if (!response.ok) {
    // A response that is not JSON comes from a proxy.
    const { message, reason } = ((await response.json().catch(() => null)) ?? {}) as Record<string, unknown>
    if (response.status === 401) endSession(authorization)
    throw Object.assign(new Error(typeof message === 'string' ? message : messages.requestFailed), {
      data: { reason },
    })
  }
  const file = await response.blob().catch(() => undefined)
  if (!file) throw new Error(messages.networkError)
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'medley'
  link.click()
  // Not immediately: the browser may ask first where to save the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
