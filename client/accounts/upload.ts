import { getSession } from '#client/session.ts'
import { requestTimeoutMs, retryDelayMs } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'

/** Sends a picture; answers its address. Throws an `Error` whose message is for people. */
export async function uploadPicture(file: File): Promise<string> {
  let answer = await send(file)
  if (answer.status === 0 || answer.status >= 500) {
    // As every call that may be sent twice: a picture that nobody names is removed in time.
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
    answer = await send(file)
  }
  const { status, imageUrl, message } = answer
  if (typeof imageUrl === 'string') return imageUrl
  if (status === 0) throw new Error(messages.networkError)
  throw new Error(typeof message === 'string' ? message : messages.requestFailed)
}

/** The status is 0 where no answer came. */
async function send(file: File): Promise<{ status: number; imageUrl?: unknown; message?: unknown }> {
  const token = getSession()?.token
  const body = new FormData()
  body.append('image', file)
  try {
    const response = await fetch('/upload', {
      method: 'POST',
      headers: { accept: 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body,
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
    // What is no JSON is the answer of something in between (a proxy).
    const answer = (await response.json().catch(() => null)) as object | null
    return { ...answer, status: response.status }
  } catch {
    return { status: 0 }
  }
}
