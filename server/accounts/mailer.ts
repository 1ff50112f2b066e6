import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/open.ts'
import {
  type ClaimedMail,
  claimMails,
  markMailSent,
  postponeMail,
  removeMail,
  removeSentMails,
} from './store.ts'

/** Sends the mails of the outbox. */
export type Mailer = {
  /** Has the outbox looked at soon; never throws, never waits. */
  flush: () => void
  /** Sends what is due once more and stops. */
  close: () => Promise<void>
}

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
type Send = (mail: ClaimedMail, signal: AbortSignal) => Promise<void>

const lookEveryMs = 15_000
/** Until then the response of the call that asks for a mail is out: its time must not say whether there is one to send. */
const flushDelayMs = 100
const atOnceMax = 5
const sendTimeoutMs = 60_000
/** Longer than a sending can take: who claims a mail has it to itself. */
const leaseMs = 5 * 60_000
const firstDelayMs = 30_000
const delayMaxMs = 60 * 60_000
const giveUpAfterMs = 3 * 24 * 60 * 60_000
const keepSentMs = 7 * 24 * 60 * 60_000
const closeGraceMs = 5_000

/** The worker of the outbox. Several processes may have one over the same database. */
export function openMailer({
  config,
  db,
  log,
  now = () => new Date(),
}: {
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'publicUrl' | 'isProduction'>
  db: Db
  log: Log
  now?: () => Date
}): Mailer {
  const send = config.smtpUrl ? bySmtp(config.smtpUrl, config) : toFolder(config, log)
  const closing = new AbortController()
  let isClosed = false
  let isQueued = false
  let rounds = Promise.resolve()

  const later = (ms: number) => new Date(now().getTime() + ms)

  async function deliver(mail: ClaimedMail): Promise<void> {
    try {
      await send(mail, AbortSignal.any([closing.signal, AbortSignal.timeout(sendTimeoutMs)]))
    } catch (error) {
      return putOff(mail, error)
    }
    await markMailSent(db, mail.id, now())
  }

  async function putOff(mail: ClaimedMail, error: unknown): Promise<void> {
    // The server's words may repeat the address; its code says enough.
    const { code, responseCode, command } = error as {
      code?: string
      responseCode?: number
      command?: string
    }
    const about = { mail: mail.id, attempts: mail.attempts, code, responseCode, command }
    if (now().getTime() - Date.parse(mail.createdAt) > giveUpAfterMs) {
      await removeMail(db, mail.id)
      return log.error(about, 'mail given up')
    }
    const nextAttemptAt = later(Math.min(delayMaxMs, firstDelayMs * 2 ** Math.min(mail.attempts - 1, 20)))
    await postponeMail(db, mail.id, nextAttemptAt)
    log.warn({ ...about, nextAttemptAt }, 'mail not sent yet')
  }

  async function sendDue(): Promise<void> {
    isQueued = false
    while (!closing.signal.aborted) {
      const mails = await claimMails(db, now(), later(leaseMs), atOnceMax)
      if (mails.length === 0) return
      await Promise.all(mails.map(deliver))
      await removeSentMails(db, later(-keepSentMs))
    }
  }

  function sendSoon(): void {
    rounds = rounds.then(sendDue).catch((error: unknown) => log.error({ err: error }, 'outbox failed'))
  }

  let delay: NodeJS.Timeout | undefined
  function flush(): void {
    if (isClosed || isQueued) return
    isQueued = true
    delay = setTimeout(sendSoon, flushDelayMs).unref()
  }

  const timer = setInterval(flush, lookEveryMs).unref()
  return {
    flush,
    async close() {
      clearInterval(timer)
      clearTimeout(delay)
      isClosed = true
      sendSoon()
      await Promise.race([rounds, wait(closeGraceMs, undefined, { ref: false })])
      closing.abort()
      await rounds
    },
  }
}

function bySmtp(url: string, { mailFrom, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'>): Send {
  // Loaded with the first mail: a process without SMTP never needs it.
  const opening = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      url,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      dnsTimeout: 10_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  const host = new URL(publicUrl).hostname
  return async (mail, signal) => {
    const transport = await opening
    await transport.sendMail({
      from: mailFrom,
      // As an object, so that nobody reads a list out of it.
      to: { name: '', address: mail.to },
      subject: oneLine(mail.subject),
      text: mail.text,
      // The same at every attempt: a mail that came twice after all can be told.
      messageId: `<${mail.id}.${Date.parse(mail.createdAt)}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal,
    })
  }
}

/** Where there is no SMTP server: a file under `DATA_DIR/outbox`, and the text in the log unless others may read that. */
function toFolder(
  { dataDir, mailFrom, isProduction }: Pick<Config, 'dataDir' | 'mailFrom' | 'isProduction'>,
  log: Log,
): Send {
  const folder = join(dataDir, 'outbox')
  return async (mail) => {
    const file = join(folder, `${mail.createdAt.replaceAll(/\D/g, '')}-${mail.id}.eml`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(file, asFile(mail, mailFrom), { mode: 0o600 })
    const content = { to: mail.to, subject: mail.subject, text: mail.text.split('\n').filter(Boolean) }
    log.info({ ...(isProduction ? {} : content), file }, 'mail (set SMTP_URL to send mails)')
  }
}

/** As plain as a mail can be, so that its link can be read and clicked; nodemailer would break long lines up. */
function asFile(mail: ClaimedMail, mailFrom: string): string {
  return `From: ${oneLine(mailFrom)}
To: ${oneLine(mail.to)}
Subject: ${oneLine(mail.subject)}
Date: ${new Date(mail.createdAt).toUTCString().replace('GMT', '+0000')}
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

${mail.text}`
}

/** Text for a header: it must neither begin another one nor show in another order than it is sent. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
