import { setTimeout as wait } from 'node:timers/promises'
import { insertMany } from '#server/db/dialect.ts'
import { aMember, aSignedInMember } from '#server/testing.ts'
import { findDatabaseFaults, type KillOptions, type Site, withSite } from './crash.ts'

const requests = 400

/**
 * Private members with many requests become public, and the server is killed after the first slices. Repeated, the call must accept all
 * that are left: each becomes one follow and one notification.
 */
export async function killPrivacy(options: KillOptions) {
  return withSite(options, work)

  async function work({ db, random, kill, start, send }: Site) {
    const faults: string[] = []
    const accepted: number[] = []
    const asking: number[] = []
    while (asking.length < requests) asking.push((await aMember(db)).id)
    const created_at = new Date().toISOString()
    const count = async (table: 'follows' | 'follow_requests', id: number) => {
      const rows = await db.selectFrom(table).select('follower_id').where('followee_id', '=', id).execute()
      return rows.length
    }
    for (let round = 0; round < options.rounds; round++) {
      const member = await aSignedInMember(db)
      await db.updateTable('users').set({ is_private: 1 }).where('id', '=', member.id).execute()
      await insertMany(
        db,
        'follow_requests',
        asking.map((follower_id) => ({ follower_id, followee_id: member.id, created_at })),
      )
      const becomePublic = () => send(member, 'PATCH', '/users/me/privacy', { isPrivate: false })
      const killed = becomePublic().catch(() => undefined)
      while ((await count('follows', member.id)) === 0) await wait(1)
      await wait(Math.floor(20 * random()))
      await kill()
      await killed
      accepted.push(await count('follows', member.id))
      await start()
      const response = await becomePublic()
      if (!response.ok) faults.push(`${member.username}: ${response.status}`)
      if ((await count('follows', member.id)) !== requests)
        faults.push(`${member.username}: follows are missing`)
      if ((await count('follow_requests', member.id)) > 0)
        faults.push(`${member.username}: requests are left`)
      const told = await db
        .selectFrom('notification_actors')
        .select('notification_id')
        .where('actor_id', '=', member.id)
        .execute()
      if (told.length !== requests) faults.push(`${member.username}: ${told.length} notifications`)
    }
    faults.push(...(await findDatabaseFaults(db)))
    return { rounds: options.rounds, requests, accepted, faults }
  }
}
