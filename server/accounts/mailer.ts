import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { dayMs } from '#shared/domain/days.ts'
import type { Config } from '#server/config.ts'
import { readSettings } from '#server/members/settings.ts'
import type { MailPayload, MailText } from '#server/members/tables.ts'
import { openQueue, type QueueOptions } from '#server/process/queue.ts'
import { chooseLanguage, offeredAmong } from '#server/text/choose-language.ts'
import { type Translators, translatorsOf } from '#server/text/translator.ts'
import { findReaderLanguages } from './mail-store.ts'
import { renderMail, tokensOf } from './mails.ts'
import { hashToken } from './rules.ts'
import { explainSmtpError } from './smtp-errors.ts'

export type Mailer = {
  flush: () => void
  /** Delivers once more, for a few seconds at most. */
  close: () => Promise<void>
}

type Queued = MailText & { to: string; id: number; createdAt: string; language: string }
type Send = (mail: Queued, signal: AbortSignal) => Promise<void>

/** The response is sent first, so that its time does not reveal whether there is an email to send. */
const flushDelayMs = 100
const concurrencyMax = 5
const sendTimeoutMs = 60_000
const giveUpAfterMs = 3 * dayMs
const closeGraceMs = 5_000

export function openMailer({
  config,
  translators = translatorsOf([]),
  ...options
}: QueueOptions & {
  translators?: Translators | undefined
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'publicUrl' | 'isProduction'>
}): Mailer {
  const send = config.smtpUrl ? smtpSender(config.smtpUrl, config) : fileSender(config, options.log)
  const queue = openQueue({
    ...options,
    name: 'mail',
    concurrencyMax,
    giveUpAfterMs,
    async run({ id, owner, payload, first_due_at }, _waiting, signal) {
      const content = JSON.parse(payload) as MailPayload
      const settings = await readSettings(options.db)
      const { default: byDefault, offer } = settings.languages
      const known = await findReaderLanguages(options.db, owner, tokensOf(content).map(hashToken))
      const choice = { setting: known?.language, cookie: known?.login_language ?? undefined, byDefault }
      const translator = translators.of(chooseLanguage(choice, offeredAmong(translators.codes, offer)))
      const sender = { site: settings.name, publicUrl: config.publicUrl, in: translator }
      const mail = { ...renderMail(content, sender), id, to: owner, language: translator.language }
      const ending = AbortSignal.any([signal, AbortSignal.timeout(sendTimeoutMs)])
      await send({ ...mail, createdAt: first_due_at }, ending).catch((error: unknown) => {
        // The server's message may contain the address.
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

export async function openSmtp(url: string) {
  // Loaded on demand: a process without SMTP does not need it.
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
      headers: {
        'Auto-Submitted': 'auto-generated',
        'Content-Language': mail.language,
        ...unsubscribeHeaders(mail),
      },
      signal,
    })
  }
}

/** Without an SMTP server: writes to `DATA_DIR/outbox` and, except in production, logs the text. */
function fileSender(
  { dataDir, mailFrom, isProduction }: Pick<Config, 'dataDir' | 'mailFrom' | 'isProduction'>,
  log: QueueOptions['log'],
): Send {
  const folder = join(dataDir, 'outbox')
  return async (mail) => {
    const file = join(folder, `${mail.createdAt.replaceAll(/\D/g, '')}-${mail.id}.eml`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Renamed when complete: a program that watches the folder never reads a partial email.
    await writeFile(`${file}.tmp`, formatEml(mail, mailFrom), { mode: 0o600 })
    await rename(`${file}.tmp`, file)
    const content = { to: mail.to, subject: mail.subject, text: mail.text.split('\n').filter(Boolean) }
    log.info(
      { ...(isProduction ? {} : content), file },
      'email written to a file: set SMTP_URL to send emails',
    )
  }
}

/** Without any encoding, so that the link can be read and clicked; nodemailer would wrap long lines. */
function formatEml(mail: Queued, mailFrom: string): string {
  return `From: ${oneLine(mailFrom)}
To: ${oneLine(mail.to)}
Subject: ${oneLine(mail.subject)}
Date: ${new Date(mail.createdAt).toUTCString().replace('GMT', '+0000')}
MIME-Version: 1.0
Content-Language: ${mail.language}
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit
${Object.entries(unsubscribeHeaders(mail))
  .map(([name, value]) => `${name}: ${value}\n`)
  .join('')}
${mail.text}`
}

/** RFC 8058. */
function unsubscribeHeaders({ unsubscribeUrl }: Pick<MailText, 'unsubscribeUrl'>): Record<string, string> {
  return unsubscribeUrl === undefined
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** Safe in a header: no line break starts another header, no character reorders it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
