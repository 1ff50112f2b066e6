import { Agent, type IncomingMessage, request } from 'node:http'
import type { Kysely } from 'kysely'
import { hashToken } from '#server/accounts/rules.ts'
import type { Tables } from '#server/db/tables.ts'
import type { conformanceTo } from './conformance.ts'
import { liveTokens, type Sent } from './requests.ts'

const concurrency = 8

type Received = { status: number; headers: Headers; body: string }

export async function insertLiveTokens(db: Kysely<Tables>, memberIds: number[]): Promise<void> {
  const now = new Date()
  const sessions = liveTokens.map((token, index) => ({
    token_hash: hashToken(token),
    user_id: memberIds[index % memberIds.length]!,
    created_at: now.toISOString(),
    last_used_at: now.toISOString(),
    expires_at: new Date(now.getTime() + 1e8).toISOString(),
    user_agent: null,
  }))
  await db.insertInto('sessions').values(sessions).execute()
}

export function openSender({ port, timeoutMs }: { port: () => number; timeoutMs: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })

  function send({ method, url, headers, body }: Sent): Promise<Received> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const outgoing = request({
        agent,
        host: '127.0.0.1',
        port: port(),
        method,
        path: url,
        headers: { ...headers, ...length },
      })
      const timer = setTimeout(() => outgoing.destroy(new Error(`no response in ${timeoutMs} ms`)), timeoutMs)
      outgoing.on('error', reject)
      outgoing.on('close', () => clearTimeout(timer))
      outgoing.on('response', (incoming: IncomingMessage) => {
        const received = (body: string) =>
          resolve({
            status: incoming.statusCode!,
            headers: new Headers(incoming.headers as Record<string, string>),
            body,
          })
        if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
          // A subscription is open until the client closes it.
          incoming.on('error', () => {})
          received('')
          outgoing.destroy()
          return
        }
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => received(Buffer.concat(chunks).toString()))
      })
      outgoing.end(body)
    })
  }

  return {
    close: () => agent.destroy(),
    async send(requests: Sent[], faultOf: ReturnType<typeof conformanceTo>) {
      const faults: string[] = []
      const counts: Record<number, number> = {}
      const queue = requests.values()
      const work = async () => {
        for (const sent of queue) {
          const outgoing = { ...sent, accept: sent.headers.accept as string | undefined }
          const fault = await send(sent).then(
            (received) => {
              counts[received.status] = (counts[received.status] ?? 0) + 1
              const isServerError = received.status === 500 || received.body.includes('INTERNAL_SERVER_ERROR')
              const problem = isServerError ? 'a server error' : faultOf(outgoing, received)
              return problem && `${problem}: ${received.status} ${received.body.slice(0, 300)}`
            },
            (error: Error) => error.message,
          )
          if (fault)
            faults.push(`${fault}\n${JSON.stringify({ ...sent, body: String(sent.body) }).slice(0, 1_000)}`)
        }
      }
      await Promise.all(Array.from({ length: concurrency }, work))
      return { faults, counts }
    },
  }
}
