import type { FastifyBaseLogger } from 'fastify'
import type { Role } from '#shared/domain/roles.ts'
import type { Scope } from '#shared/domain/scopes.ts'
import type { Db } from '#server/db/open.ts'
import { versionOf } from '#server/db/version.ts'
import { listStreaming } from './sessions-store.ts'

export type StreamingMember = { id: number; role: Role; sessionHash: string; scopes: readonly Scope[] | null }

export type SessionWatch = {
  add: (member: StreamingMember, onEnd: () => void) => () => void
}

/** One query for all streams, and on SQLite none while nothing is written and no session expires. */
const intervalMs = 1_000

export function openSessionWatch(db: Db, log: Pick<FastifyBaseLogger, 'warn'>): SessionWatch {
  const watched = new Map<string, Set<{ member: StreamingMember; onEnd: () => void }>>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let seen = NaN
  let nextExpiry = ''

  async function look(): Promise<void> {
    const now = new Date().toISOString()
    const { current, seesOthers } = versionOf(db)
    const version = current()
    if (isLooking || (seesOthers && version === seen && now < nextExpiry)) return
    isLooking = true
    seen = version
    try {
      const asked = [...watched]
      const rows = await listStreaming(
        db,
        asked.map(([hash]) => hash),
        now,
      )
      nextExpiry = rows.reduce(
        (first, { expires_at }) => (expires_at && expires_at < first ? expires_at : first),
        '9999',
      )
      const found = new Map(rows.map((row) => [row.token_hash, row]))
      for (const [hash, streams] of asked) {
        const row = found.get(hash)
        for (const { member, onEnd } of streams)
          if (!row || row.roleWithin(member.scopes) !== member.role) onEnd()
      }
    } catch (error) {
      seen = NaN
      log.warn({ err: error }, 'live streams may outlive their sessions: reading the sessions failed')
    } finally {
      isLooking = false
    }
  }

  return {
    add(member, onEnd) {
      const stream = { member, onEnd }
      const hash = member.sessionHash
      const streams = watched.get(hash) ?? new Set()
      watched.set(hash, streams.add(stream))
      seen = NaN
      timer ??= setInterval(() => void look(), intervalMs).unref()
      void look()
      return () => {
        streams.delete(stream)
        if (streams.size === 0 && watched.get(hash) === streams) watched.delete(hash)
        if (watched.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
