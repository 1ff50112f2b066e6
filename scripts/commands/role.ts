import { ConfigError } from '#server/config.ts'
import { isLastAdmin, setRole } from '#server/accounts/store.ts'
import { caseless } from '#server/db/fold.ts'
import { openSetup } from '#server/site/setup.ts'
import { audit } from '#server/calls/audit.ts'
import { type Role, roles } from '#shared/domain/roles.ts'
import { runCommand, withDatabase } from './command.ts'

const usage = `medley role <username> <${roles.join(' | ')}>
medley role --list
medley role --setup

Changes the role of a member, also of the first admin. --list shows who has a role. --setup prints a link that makes the member
who opens it an admin: it works once, for 24 hours. The server may keep running. Reads DATA_DIR, DATABASE_URL and PUBLIC_URL. Exits
with 1 if there is no such account, or if it belongs to the last admin.`

await runCommand(
  { usage, positionals: 2, options: { list: { type: 'boolean' }, setup: { type: 'boolean' } } },
  ({ config, positionals: [username, role], values }) =>
    withDatabase(config, async (db) => {
      const now = new Date()
      if (values.setup) return console.log(await openSetup(db, config.publicUrl, now))
      if (values.list) {
        const rows = await db
          .selectFrom('users')
          .select(['username', 'role'])
          .where('role', '<>', 'member')
          .orderBy('role')
          .orderBy('id')
          .execute()
        for (const row of rows) console.log(`${row.role.padEnd(10)} ${row.username}`)
        if (rows.length === 0) console.log('Nobody has a role.')
        return
      }
      if (!username || !roles.includes(role as Role))
        throw new ConfigError(`Pass a username and a role: medley role <username> <${roles.join(' | ')}>.`)
      await db.transaction().execute(async (trx) => {
        const user = await trx
          .selectFrom('users')
          .select(['id', 'username', 'role', 'verified_at'])
          .where('username_folded', '=', caseless(username))
          .executeTakeFirst()
        if (!user) throw new ConfigError(`There is no account with the username ${username}.`)
        if (!user.verified_at)
          throw new ConfigError(
            `The email of ${user.username} is not verified: medley verify-email ${user.username}`,
          )
        if (role !== 'admin' && (await isLastAdmin(trx, user.id)))
          throw new ConfigError(`${user.username} is the last admin. Make another member an admin first.`)
        await audit(trx, {
          by: 'medley role',
          action: 'role.change',
          target: { type: 'user', id: user.id, name: user.username },
          before: { role: user.role },
          after: { role },
          at: now,
        })
        await setRole(trx, user.id, role as Role)
        console.log(`${user.username} is ${role === 'admin' ? 'an' : 'a'} ${role} now.`)
      })
    }),
)
