import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '#server/config.ts'
import { readSettings } from '#server/members/settings.ts'
import type { MailPayload, MailText } from '#server/members/tables.ts'
import { openQueue, type QueueOptions } from '#server/process/queue.ts'
import { renderMail } from './mails.ts'
import { explainSmtpError } from './smtp-errors.ts'

/** Delivers the emails in the queue. */
export type Mailer = {
  /** Schedules a delivery; returns immediately and never throws. */
  flush: () => void
  /** Delivers once more, for a few seconds at most, and stops. */
  close: () => Promise<void>
}

type Queued = MailText & { to: string; id: number; createdAt: string }
type Send = (mail: Queued, signal: AbortSignal) => Promise<void>

/** The response is sent first, so that its time does not reveal whether there is an email to send. */
const flushDelayMs = 100
const concurrencyMax = 5
const sendTimeoutMs = 60_000
const giveUpAfterMs = 3 * 24 * 60 * 60_000
const closeGraceMs = 5_000

/** Starts sending the emails in the queue. Several processes can do so on the same database. */
export function openMailer({
  config,
  ...options
}: QueueOptions & {
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'publicUrl' | 'isProduction'>
}): Mailer {
  const send = config.smtpUrl ? smtpSender(config.smtpUrl, config) : fileSender(config, options.log)
  const queue = openQueue({
    ...options,
    name: 'mail',
    concurrencyMax,
    giveUpAfterMs,
    async run({ id, owner, payload, first_due_at }, _waiting, signal) {
      const { name: site } = await readSettings(options.db)
      const text = renderMail(JSON.parse(payload) as MailPayload, { site, publicUrl: config.publicUrl })
      const mail = { ...text, id, to: owner }
      const ending = AbortSignal.any([signal, AbortSignal.timeout(sendTimeoutMs)])
      await send({ ...mail, createdAt: first_due_at }, ending).catch((error: unknown) => {
        // The server's message may contain the address; the codes are enough.
        const { code, responseCode, command } = error as Record<string, unknown>
        const why = config.smtpUrl ? explainSmtpError(error) : 'The file was not written'
        throw Object.assign(new Error(`The email was not sent. ${why}.`), { code, responseCode, command })
      })
    },
  })
  let delay: NodeJS.Timeout | undefined
  return {
    flush() {
      delay ??= setTimeout(() => {
        delay = undefined
        queue.wake()
      }, flushDelayMs).unref()
    },
    async close() {
      clearTimeout(delay)
      await Promise.race([queue.runDue(), wait(closeGraceMs, undefined, { ref: false })])
      await queue.close()
    },
  }
}

/** Returns a transport to an SMTP server; connects when it is used. */
export async function openSmtp(url: string) {
  // Lazy-loaded, because a process without SMTP does not need it.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function smtpSender(url: string, { mailFrom, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'>): Send {
  const loading = openSmtp(url)
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
      headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(mail) },
      signal,
    })
  }
}

/** Used without an SMTP server: writes a file under `DATA_DIR/outbox` and, except in production, logs the text. */
function fileSender(
  { dataDir, mailFrom, isProduction }: Pick<Config, 'dataDir' | 'mailFrom' | 'isProduction'>,
  log: QueueOptions['log'],
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
function formatEml(mail: Queued, mailFrom: string): string {
  return `From: ${oneLine(mailFrom)}
To: ${oneLine(mail.to)}
Subject: ${oneLine(mail.subject)}
Date: ${new Date(mail.createdAt).toUTCString().replace('GMT', '+0000')}
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit
${Object.entries(unsubscribeHeaders(mail))
  .map(([name, value]) => `${name}: ${value}\n`)
  .join('')}
${mail.text}`
}

/** Returns the headers with which a mail program ends such emails in one click (RFC 8058). */
function unsubscribeHeaders({ unsubscribeUrl }: Pick<MailText, 'unsubscribeUrl'>): Record<string, string> {
  return unsubscribeUrl === undefined
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** Returns text that is safe in a header: no line break that starts another header, no character that reorders it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
