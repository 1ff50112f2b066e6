import type { FastifyBaseLogger } from 'fastify'
import type { InboxEvent } from '#shared/contracts/notifications.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { Db } from '#server/db/open.ts'
import { versionOf } from '#server/db/version.ts'
import { countUnread, listInboxStates, type Recipient } from './store.ts'

/** Of members who have a live stream to this process. */
export type InboxWatch = {
  /** Calls `onChange` now, and on each change. Returns a function that ends this. */
  add: (member: Recipient, onChange: (event: InboxEvent) => void) => () => void
}

/** A burst is one message. One query for all streams, and on SQLite none while nothing is written: all processes on the database see the same. */
const intervalMs = 1_000

export function openInboxWatch(
  db: Db,
  log: Pick<FastifyBaseLogger, 'warn'>,
  { everyMs = intervalMs }: { everyMs?: number } = {},
): InboxWatch {
  type Watcher = { role: Role; onChange: (event: InboxEvent) => void; state?: string }
  const watchers = new Map<number, Set<Watcher>>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let seen = NaN

  async function look(): Promise<void> {
    const { current, seesOthers } = versionOf(db)
    const version = current()
    if (isLooking || (seesOthers && version === seen)) return
    isLooking = true
    seen = version
    try {
      const asked = [...watchers]
      const rows = await listInboxStates(
        db,
        asked.map(([userId]) => userId),
      )
      const states = new Map(rows.map((row) => [row.id, `${row.last_at} ${row.read_to}`]))
      for (const [userId, ofMember] of asked) {
        const state = states.get(userId)
        if (state === undefined) continue
        const due = [...ofMember].filter((watcher) => watcher.state !== state)
        for (const [role, watchersOfRole] of Map.groupBy(due, (watcher) => watcher.role)) {
          const event = { unreadCount: await countUnread(db, { id: userId, role }) }
          for (const watcher of watchersOfRole) {
            watcher.state = state
            watcher.onChange(event)
          }
        }
      }
    } catch (error) {
      seen = NaN
      log.warn({ err: error }, 'live notifications are late: reading the inboxes failed')
    } finally {
      isLooking = false
    }
  }

  return {
    add({ id: userId, role }, onChange) {
      const watcher: Watcher = { role, onChange }
      const ofMember = watchers.get(userId) ?? new Set()
      watchers.set(userId, ofMember.add(watcher))
      seen = NaN
      timer ??= setInterval(() => void look(), everyMs).unref()
      void look()
      return () => {
        ofMember.delete(watcher)
        if (ofMember.size === 0 && watchers.get(userId) === ofMember) watchers.delete(userId)
        if (watchers.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
