import { ConfigError } from '#server/config.ts'
import { newLoginLink } from '#server/accounts/log-in.ts'
import { caseless } from '#server/db/fold.ts'
import { audit } from '#server/calls/audit.ts'
import { runCommand, withDatabase } from './command.ts'

const usage = `medley login-link <username>

Prints a link that logs a member in without a password or a code, for a member who has lost their phone and their recovery codes. It
works once, for 15 minutes. Make sure whom you give it to. The server may keep running. Reads DATA_DIR, DATABASE_URL and PUBLIC_URL.
Exits with 1 if there is no such account, or if its email is not verified.`

await runCommand({ usage, positionals: 1 }, ({ config, positionals: [username] }) =>
  withDatabase(config, async (db) => {
    if (!username) throw new ConfigError('Pass a username: medley login-link <username>.')
    const now = new Date()
    const link = await db.transaction().execute(async (trx) => {
      const user = await trx
        .selectFrom('users')
        .select(['id', 'username', 'verified_at'])
        .where('username_folded', '=', caseless(username))
        .where('closed_at', 'is', null)
        .executeTakeFirst()
      if (!user) throw new ConfigError(`There is no account with the username ${username}.`)
      if (!user.verified_at)
        throw new ConfigError(
          `The email of ${user.username} is not verified: medley verify-email ${user.username}`,
        )
      const target = { type: 'user', id: user.id, name: user.username } as const
      await audit(trx, { by: 'medley login-link', action: 'member.loginLink', target, at: now })
      return newLoginLink(trx, config, user.id, now)
    })
    console.log(link)
  }),
)
