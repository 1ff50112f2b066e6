import type { Db } from '#server/db/open.ts'
import type { Mail } from '#server/members/tables.ts'
import { insertNotice } from './mail-store.ts'
import { type MailKind, mailKey, mailLimit } from './rules.ts'

/**
 * At the limit of the mailbox for the kind, the notice waits (`insertNotice`). Must run in the transaction of the change that causes it;
 * call `mailer.flush()` after the commit.
 */
export async function queueNotice(trx: Db, kind: MailKind, mail: Mail, now: Date): Promise<void> {
  await insertNotice(trx, mail, mailKey(kind, mail.to), now, mailLimit)
}
