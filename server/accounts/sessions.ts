import { LRUCache } from 'lru-cache'
import type { Db } from '#server/db/open.ts'
import { versionOf } from '#server/db/version.ts'
import type { Member } from '#server/calls/context.ts'
import { hashToken, isAccessToken } from './rules.ts'
import { findMemberByAccessToken, findMemberBySession } from './sessions-store.ts'

/** About 500 bytes each; the least recently used are dropped. */
const sessionsMax = 10_000

/**
 * On SQLite, cached until any process changes the database. On Postgres, each call queries: a session that another process has ended must
 * be invalid for the next request.
 */
export function openSessions(db: Db): (token: string, now: Date) => Promise<Member | null> {
  const version = versionOf(db)
  if (!version.seesOthers)
    return async (token, now) => (await findMember(db, token, hashToken(token), now))?.member ?? null

  type Session = { member: Member; freshUntil: string; version: number }
  const sessions = new LRUCache<string, Session>({ max: sessionsMax })
  return async (token, now) => {
    const hash = hashToken(token)
    const current = version.current()
    const known = sessions.get(hash)
    if (known && known.version === current && known.freshUntil > now.toISOString()) return known.member
    const found = await findMember(db, token, hash, now)
    if (!found) return null
    sessions.set(hash, { ...found, version: current })
    return found.member
  }
}

function findMember(db: Db, token: string, hash: string, now: Date) {
  return isAccessToken(token) ? findMemberByAccessToken(db, hash, now) : findMemberBySession(db, hash, now)
}
