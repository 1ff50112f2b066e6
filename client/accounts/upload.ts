import { getSession } from '#client/session.ts'
import { requestTimeoutMs } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'

/** Sends a picture; answers its address. Throws an `Error` whose message is for people. */
export async function uploadPicture(file: File): Promise<string> {
  const token = getSession()?.token
  const body = new FormData()
  body.append('image', file)
  let answer: { imageUrl?: unknown; message?: unknown }
  try {
    const response = await fetch('/upload', {
      method: 'POST',
      headers: { accept: 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body,
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
    answer = (await response.json()) as typeof answer
  } catch {
    throw new Error(messages.networkError)
  }
  if (typeof answer.imageUrl === 'string') return answer.imageUrl
  throw new Error(typeof answer.message === 'string' ? answer.message : messages.requestFailed)
}
