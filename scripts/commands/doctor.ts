import { existsSync } from 'node:fs'
import { mkdtemp, rmdir, statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { sources, sourceNames } from '#shared/domain/kinds.ts'
import { sourceVariables } from '#shared/domain/source-variables.ts'
import { askProvider, callbackUrl, clockToleranceMs } from '#server/accounts/oidc.ts'
import { openSmtp } from '#server/accounts/mailer.ts'
import { explainSmtpError } from '#server/accounts/smtp-errors.ts'
import { openSources } from '#server/titles/sources/open.ts'
import { adviceOn, type Config, originOf, otherNameOf } from '#server/config.ts'
import { isLocal } from '#server/text/service-url.ts'
import { compareSchema, newerDatabase } from '#server/db/migrate.ts'
import { type Db, openDatabase } from '#server/db/open.ts'
import { describeFailure } from '#server/process/failure.ts'
import { openOutgoing } from '#server/process/outgoing.ts'
import { createFolder, listOpen } from '#server/process/private-files.ts'
import { describeService } from '#server/text/service-url.ts'
import { runCommand } from './command.ts'

const usage = `npm run doctor, medley doctor

Checks the configuration, the database, the disk, the mail server (connects and logs in, sends nothing), the keys of the sources,
the providers of logins, PUBLIC_URL and the clock. Prints a line for each finding, which starts with ok, change (works, but not as it should) or broken.
Exits with 1 if something is broken. Changes nothing; the server may keep running.`

const timeoutMs = 10_000
const clockErrorMaxMs = 30_000

const found = (level: 'ok' | 'change' | 'broken') => (text: string) => {
  console.log(`${level.padEnd(7)} ${text}`)
  if (level === 'broken') process.exitCode = 1
}
const [ok, change, broken] = [found('ok'), found('change'), found('broken')]

await runCommand({ usage }, async ({ config }) => {
  checkConfiguration(config)
  ok(
    `Links in emails, feeds and everything else start with ${config.publicUrl} (${process.env['PUBLIC_URL']?.trim() ? 'PUBLIC_URL' : 'from HOST and PORT: PUBLIC_URL is not set'}).`,
  )
  await checkProxy(config)
  if (await checkFolder(config)) {
    await checkDatabase(config)
    await checkDisk(config)
  }
  await checkMail(config)
  await checkSources(config)
  await checkProviders(config)
  await checkAddress(config)
  await checkClock(config)
})

function checkConfiguration(config: Config): void {
  const advice = adviceOn(config)
  advice.forEach(change)
  if (advice.length === 0) ok('The configuration is valid.')
}

/** Creates DATA_DIR, and removes it again, if it is missing. */
async function checkFolder({ dataDir }: Config): Promise<boolean> {
  const isMissing = !existsSync(dataDir)
  try {
    const created = createFolder(dataDir)
    try {
      // Not `access`, which finds file systems writable for root that have no files of their own, such as /sys.
      await rmdir(await mkdtemp(join(dataDir, '.medley-doctor-')))
    } finally {
      if (created) await removeUpTo(created, dataDir)
    }
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    broken(
      `DATA_DIR (${dataDir}) cannot be ${isMissing ? 'created' : 'written'} by this user (${code}). Change its owner, or run medley as its owner, or choose another folder.`,
    )
    return false
  }
  if (isMissing) ok(`DATA_DIR (${dataDir}) does not exist yet. The first start creates it.`)
  const open = await listOpen(dataDir)
  if (open.length > 0)
    change(
      `Other users of this machine may use ${open.join(', ')}. The next start changes that if the owner is the user that runs Medley and DATA_DIR contains nothing else: or run chmod -R go= on them.`,
    )
  return true
}

async function removeUpTo(first: string, folder: string): Promise<void> {
  await rmdir(folder)
  if (folder !== first) await removeUpTo(first, dirname(folder))
}

async function checkDatabase(config: Config): Promise<void> {
  const { databaseUrl, dataDir } = config
  const name = databaseUrl ? 'DATABASE_URL' : join(dataDir, 'medley.sqlite')
  if (!databaseUrl && !existsSync(name)) return ok(`${name} does not exist yet. The first start creates it.`)
  let db: Db | undefined
  try {
    db = openDatabase(config)
    const { pending, unknown } = await compareSchema(db)
    if (unknown.length > 0) throw newerDatabase(unknown)
    if (!databaseUrl) {
      const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
      const result = rows[0]?.quick_check
      if (result !== 'ok')
        return broken(`${name} is damaged (${result}). Restore a backup with medley restore.`)
    }
    if (pending.length === 0) ok(`${name} responds and has the current schema.`)
    else change(`${name} lacks ${pending.length} migrations. The next start applies them: back up first.`)
  } catch (error) {
    broken(describeFailure(error, config))
  } finally {
    await db?.destroy()
  }
}

async function checkDisk({ dataDir, diskReserveBytes }: Config): Promise<void> {
  const name = `DATA_DIR (${dataDir})`
  if (!existsSync(dataDir)) return
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const megabytes = `${Math.floor(free / 1e6)} MB are free in ${name}`
  if (free < 1e7) broken(`${megabytes}: nothing can be saved. Free some space.`)
  else if (free >= diskReserveBytes) ok(`${megabytes}.`)
  else change(`${megabytes}, less than DISK_RESERVE_MB: uploads and imports are refused. Free some space.`)
}

async function checkMail({ smtpUrl }: Config): Promise<void> {
  if (!smtpUrl)
    return ok('Emails are not sent but written to the outbox in DATA_DIR, because SMTP_URL is not set.')
  const transport = await openSmtp(smtpUrl)
  try {
    await transport.verify()
    ok(`SMTP_URL (${describeService(smtpUrl)}): the mail server accepts the connection and the login.`)
  } catch (error) {
    broken(
      `SMTP_URL (${describeService(smtpUrl)}): the mail server cannot be used. ${explainSmtpError(error)}.`,
    )
  } finally {
    transport.close()
  }
}

async function checkSources(config: Config): Promise<void> {
  const { all: opened, episodes } = openSources(config, pino({ level: 'silent' }))
  const searches = sourceNames.map((name) => {
    const source = opened.find((one) => one.name === name)
    return {
      what: sources[name].what,
      variables: sourceVariables[name],
      search: source?.search('hamlet', source.kinds),
    }
  })
  const tvmaze = episodes.find(({ name }) => name === 'tvmaze')?.check?.()
  await Promise.allSettled([...searches.map(({ search }) => search), tvmaze])
  for (const { variables, what, search } of searches)
    try {
      const result = await search
      if (!result) change(`${what} are searched in the starter catalogue only, without ${variables}.`)
      else if (result.source !== 'starter') ok(`${variables}: the source responds.`)
      else
        change(`${variables}: the source does not respond. Until it does, the starter catalogue is searched.`)
    } catch (error) {
      broken(`${variables}: the source refuses the search (${(error as Error).message}). Check the key.`)
    }
  const variable = sourceVariables.tvmaze
  if (!tvmaze)
    return change(
      `Without a TMDB key, only shows of the starter catalogue have episodes: ${variable} is off.`,
    )
  await tvmaze.then(
    () => ok(`${variable}: the source responds.`),
    (error: Error) =>
      change(
        `${variable}: the source does not respond (${error.message}). Until it does, no episodes come from it.`,
      ),
  )
}

async function callOutside({ proxy }: Config, url: string, options: { method?: string; redirect?: 'error' }) {
  const { fetch: call } = await import('undici')
  const dispatcher = await openOutgoing(proxy)
  return call(url, { ...options, dispatcher, signal: AbortSignal.timeout(timeoutMs) })
}

async function checkProxy({ proxy }: Config): Promise<void> {
  if (!proxy) return
  const except = proxy.except === '' ? '' : `, except of ${proxy.except} (NO_PROXY)`
  for (const [name, url] of Object.entries({ HTTP_PROXY: proxy.http, HTTPS_PROXY: proxy.https })) {
    if (url === undefined) continue
    const { protocol, hostname, port } = new URL(url)
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      timeout: timeoutMs,
    })
    const failure = await new Promise<string | undefined>((resolve) => {
      socket.once('connect', () => resolve(undefined))
      socket.once('timeout', () => resolve('no response in time'))
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    })
    socket.destroy()
    const what = `${name}: calls of other servers with ${name === 'HTTP_PROXY' ? 'http' : 'https'} go through ${describeService(url)}${except}`
    if (failure === undefined) ok(`${what}.`)
    else broken(`${what}, which does not respond (${failure}). Check the host and the port.`)
  }
}

/** Whether each provider is the issuer that it should be, which redirect address it must know, and its clock. */
async function checkProviders(config: Config): Promise<void> {
  for (const issuer of config.issuers) {
    const variable = `OIDC_${issuer.name.toUpperCase().replaceAll('-', '_')}_ISSUER`
    const { fault, hasLogout, clockMs } = await askProvider(config, issuer)
    if (fault !== undefined)
      broken(
        `${variable}: logins with ${issuer.label} do not work (${fault}). Check the URL: it must be the one that the provider calls its issuer, to the last slash.`,
      )
    else {
      const logout = hasLogout ? `, and after logouts to ${config.publicUrl}/login` : ''
      ok(
        `${variable}: ${issuer.label} responds. It must allow redirects to ${callbackUrl(config, issuer)}${logout}.`,
      )
    }
    if (clockMs !== undefined && Math.abs(clockMs) > clockErrorMaxMs)
      (Math.abs(clockMs) > clockToleranceMs ? broken : change)(
        `${variable}: the clocks here and there differ by ${Math.round(Math.abs(clockMs) / 1_000)} seconds. Logins fail beyond ${clockToleranceMs / 1_000}. Synchronize both.`,
      )
  }
}

async function checkAddress(config: Config): Promise<void> {
  const { publicUrl, trustProxy } = config
  const { protocol, hostname } = new URL(publicUrl)
  const listening = originOf(config)
  if (otherNameOf(publicUrl, new URL(listening).host))
    ok(
      `PUBLIC_URL names ${listening} in another way: the start prints ${publicUrl}, and browsers that open the other address are sent there, because each has its own logins.`,
    )
  if (isLocal(hostname)) return
  if (protocol === 'https:' && trustProxy === false)
    change(
      'PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is off: all visitors share one address, and so the limits of logins. Set TRUST_PROXY=on, or list the proxy.',
    )
  try {
    const response = await callOutside(config, `${publicUrl}/healthz`, { redirect: 'error' })
    const { status } = (await response.json()) as { status?: unknown }
    if (status !== 'ok') throw new Error(`status ${response.status}`)
    ok(`PUBLIC_URL: Medley responds at ${publicUrl}.`)
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    change(
      `PUBLIC_URL: Medley does not respond at ${publicUrl} from this machine (${cause?.code ?? message}). Check that the server runs, the name’s DNS record, and the proxy.`,
    )
  }
}

/** Tokens, links in emails and TLS depend on it. */
async function checkClock(config: Config): Promise<void> {
  const other = config.databaseUrl
    ? await timeOfDatabase(config).catch(() => undefined)
    : await callOutside(config, config.openLibrary.url, { method: 'HEAD' }).then(
        ({ headers }) => Date.parse(headers.get('date') ?? ''),
        () => undefined,
      )
  if (!other) return ok('The clock was not checked, because no other clock can be reached.')
  const seconds = Math.round((Date.now() - other) / 1000)
  if (Math.abs(seconds * 1000) <= clockErrorMaxMs) return ok('The clock is right.')
  broken(
    `The clock is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'fast' : 'slow'}. Synchronize it, for example with systemd-timesyncd.`,
  )
}

async function timeOfDatabase(config: Config): Promise<number> {
  const db = openDatabase(config)
  try {
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
    return rows[0]!.now.getTime()
  } finally {
    await db.destroy()
  }
}
