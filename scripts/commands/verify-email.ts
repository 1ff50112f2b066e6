import { ConfigError } from '#server/config.ts'
import { caseless } from '#server/db/fold.ts'
import { verifyUser } from '#server/accounts/store.ts'
import { runCommand, withDatabase } from './command.ts'

const usage = `npm run verify-email -- <username>, medley verify-email <username>

Verifies the email of an account as its link does, so that its member can log in, for example if the email did not arrive.
The server may keep running. Reads DATA_DIR and DATABASE_URL. Exits with 1 if there is no such account.`

await runCommand({ usage, positionals: 1 }, ({ config, positionals: [username] }) =>
  withDatabase(config, async (db) => {
    if (!username) throw new ConfigError('Pass a username: medley verify-email <username>.')
    const user = await db
      .selectFrom('users')
      .select(['id', 'username', 'verified_at'])
      .where('username_folded', '=', caseless(username))
      .executeTakeFirst()
    if (!user) throw new ConfigError(`There is no account with the username ${username}.`)
    if (!user.verified_at) await verifyUser(db, user.id, new Date())
    console.log(`${user.username} ${user.verified_at ? 'was already verified' : 'can log in now'}.`)
  }),
)
