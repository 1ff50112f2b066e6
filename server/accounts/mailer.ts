import { mkdir, rename, writeFile } from 'node:fs/promises'
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
} from './mail-store.ts'

/** Delivers the emails in the outbox table. */
export type Mailer = {
  /** Schedules a delivery; returns immediately and never throws. */
  flush: () => void
  /** Delivers once more, for a few seconds at most, and stops. */
  close: () => Promise<void>
}

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
type Send = (mail: ClaimedMail, signal: AbortSignal) => Promise<void>

const pollIntervalMs = 15_000
/** Lets the response go out first: its time must not reveal whether there is an email to send. */
const flushDelayMs = 100
const concurrencyMax = 5
const sendTimeoutMs = 60_000
/** Longer than an attempt can take, so that no other process attempts a claimed email. */
const leaseMs = 5 * 60_000
/** Retries back off exponentially: 30 seconds, 1 minute, 2 minutes and so on, up to an hour. */
const firstRetryMs = 30_000
const retryMaxMs = 60 * 60_000
const giveUpAfterMs = 3 * 24 * 60 * 60_000
const sentRetentionMs = 7 * 24 * 60 * 60_000
const closeGraceMs = 5_000

/** Starts the worker that delivers the outbox. Several processes can run one on the same database. */
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
  const send = config.smtpUrl ? smtpSender(config.smtpUrl, config) : fileSender(config, log)
  const closing = new AbortController()
  let isClosed = false
  let isScheduled = false
  const senders = new Set<Promise<void>>()

  const fromNow = (ms: number) => new Date(now().getTime() + ms)

  async function deliver(mail: ClaimedMail): Promise<void> {
    try {
      await send(mail, AbortSignal.any([closing.signal, AbortSignal.timeout(sendTimeoutMs)]))
    } catch (error) {
      return retryLater(mail, error)
    }
    await markMailSent(db, mail.id, now())
  }

  async function retryLater(mail: ClaimedMail, error: unknown): Promise<void> {
    // The server's message may contain the address; the codes are enough.
    const { code, responseCode, command } = error as {
      code?: string
      responseCode?: number
      command?: string
    }
    const details = { mail: mail.id, attempts: mail.attempts, code, responseCode, command }
    if (now().getTime() - Date.parse(mail.createdAt) > giveUpAfterMs) {
      await removeMail(db, mail.id)
      return log.error(details, 'mail not delivered, giving up')
    }
    const nextAttemptAt = fromNow(Math.min(retryMaxMs, firstRetryMs * 2 ** Math.min(mail.attempts - 1, 20)))
    await postponeMail(db, mail.id, nextAttemptAt)
    log.warn({ ...details, nextAttemptAt }, 'mail not sent yet')
  }

  /** Sends what is due, one email after the other. Each starts another sender, so that an email that takes long keeps none waiting. */
  async function sendDue(): Promise<void> {
    while (!closing.signal.aborted) {
      const [mail] = await claimMails(db, now(), fromNow(leaseMs), 1)
      if (!mail) return
      startSender()
      await deliver(mail)
      await removeSentMails(db, fromNow(-sentRetentionMs))
    }
  }

  function startSender(): void {
    isScheduled = false
    if (senders.size >= concurrencyMax) return
    const sender = sendDue()
      .catch((error: unknown) => log.error({ err: error }, 'outbox delivery failed'))
      .finally(() => senders.delete(sender))
    senders.add(sender)
  }

  async function untilIdle(): Promise<void> {
    while (senders.size > 0) await Promise.all(senders)
  }

  let delay: NodeJS.Timeout | undefined
  function flush(): void {
    if (isClosed || isScheduled) return
    isScheduled = true
    delay = setTimeout(startSender, flushDelayMs).unref()
  }

  const timer = setInterval(flush, pollIntervalMs).unref()
  return {
    flush,
    async close() {
      clearInterval(timer)
      clearTimeout(delay)
      isClosed = true
      startSender()
      await Promise.race([untilIdle(), wait(closeGraceMs, undefined, { ref: false })])
      closing.abort()
      await untilIdle()
    },
  }
}

function smtpSender(url: string, { mailFrom, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'>): Send {
  // Imported here: a process without SMTP never needs it.
  const loading = import('nodemailer').then(({ createTransport }) =>
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
    const transport = await loading
    await transport.sendMail({
      from: mailFrom,
      // An object, so that nodemailer does not parse the address as a list.
      to: { name: '', address: mail.to },
      subject: oneLine(mail.subject),
      text: mail.text,
      // The same for every attempt, so that a duplicate delivery can be recognized.
      messageId: `<${mail.id}.${Date.parse(mail.createdAt)}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal,
    })
  }
}

/** Used without an SMTP server: writes a file under `DATA_DIR/outbox` and, except in production, logs the text. */
function fileSender(
  { dataDir, mailFrom, isProduction }: Pick<Config, 'dataDir' | 'mailFrom' | 'isProduction'>,
  log: Log,
): Send {
  const folder = join(dataDir, 'outbox')
  return async (mail) => {
    const file = join(folder, `${mail.createdAt.replaceAll(/\D/g, '')}-${mail.id}.eml`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Written to a temporary file, then renamed: a program that watches the folder never reads a partial email.
    await writeFile(`${file}.tmp`, formatEml(mail, mailFrom), { mode: 0o600 })
    await rename(`${file}.tmp`, file)
    const content = { to: mail.to, subject: mail.subject, text: mail.text.split('\n').filter(Boolean) }
    log.info(
      { ...(isProduction ? {} : content), file },
      'email written to a file: set SMTP_URL to send emails',
    )
  }
}

/** Formats an email without any encoding, so that its link can be read and clicked; nodemailer would wrap long lines. */
function formatEml(mail: ClaimedMail, mailFrom: string): string {
  return `From: ${oneLine(mailFrom)}
To: ${oneLine(mail.to)}
Subject: ${oneLine(mail.subject)}
Date: ${new Date(mail.createdAt).toUTCString().replace('GMT', '+0000')}
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

${mail.text}`
}

/** Returns text that is safe in a header: no line break that starts another header, no character that reorders it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
