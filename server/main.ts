import { openInboxWatch } from '#server/notifications/watch.ts'
import cluster from 'node:cluster'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openDeletions } from '#server/accounts/deletion.ts'
import { openRebalancing } from '#server/lists/rebalance.ts'
import { openMailer } from '#server/accounts/mailer.ts'
import { recordCalls } from '#server/titles/sources/calls.ts'
import { openSources } from '#server/titles/sources/open.ts'
import { compareSchema, migrate, requireSchema } from '#server/db/migrate.ts'
import { type Db, openDatabase } from '#server/db/open.ts'
import { openReplica } from '#server/db/replica.ts'
import { endClaims } from '#server/db/tasks.ts'
import { openImports } from '#server/imports/work.ts'
import { openModeration } from '#server/moderation/work.ts'
import { openNotifications } from '#server/notifications/work.ts'
import { openLive } from '#server/reviews/live.ts'
import { isEmptySite } from '#server/site/setup-store.ts'
import { openSetup } from '#server/site/setup.ts'
import { demoSignIn, hostEmail, loadCommunity, removeCommunity } from '#server/demo/community.ts'
import { loadStarter } from '#server/titles/load-starter.ts'
import { openStorage } from '#server/uploads/storage.ts'
import { buildApp } from './app.ts'
import {
  type Config,
  ConfigError,
  missingInProduction,
  originOf,
  otherNameOf,
  readConfig,
  unknownVariables,
  withListeningPort,
} from './config.ts'
import { jobsOf } from './jobs.ts'
import { features } from './router.ts'
import { databaseDisk } from '#server/process/disk.ts'
import { describeFailure } from '#server/process/failure.ts'
import { startJobs } from '#server/process/scheduler.ts'
import { lockDataDir } from '#server/process/lock.ts'
import { collectGarbage } from '#server/process/memory.ts'
import { openDestination, openLog } from '#server/process/log.ts'
import { createFolder, keepFilesPrivate, makePrivate } from '#server/process/private-files.ts'
import { answerWhileMigrating } from '#server/process/migrating.ts'
import type { Metrics } from '#server/http/metrics.ts'
import type { Services } from '#server/calls/context.ts'
import { drain, drainMs } from '#server/http/shutdown.ts'
import { builtWeb, devWeb } from '#server/http/pages/web.ts'
import { openTranslators } from '#server/text/translator.ts'
import { openWebhookWorker } from '#server/webhooks/worker.ts'
import { onReplaced, startWorkers } from '#server/process/workers.ts'

const graceMs = 10_000
const requestsGraceMs = 4_000
/** npm forwards a Ctrl-C that the terminal has already sent: only a second signal after this time forces the exit. */
const duplicateSignalMs = 500

/** The operator has to fix it. */
function exitWithError(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/** Resources opened last are closed first. */
const closers: (() => Promise<void>)[] = []
let shutdownStartedAt: number | undefined

async function shutDown(code: number, extraMs = 0): Promise<void> {
  shutdownStartedAt = performance.now()
  setTimeout(() => {
    log.error('graceful shutdown timed out')
    process.exit(1)
  }, graceMs + extraMs).unref()
  try {
    for (const close of closers) await close()
    // The synchronous write at the exit would block if nothing reads the log.
    await new Promise((resolve) => log.flush(resolve))
  } catch (error) {
    log.error({ err: error }, 'graceful shutdown failed')
    process.exit(1)
  }
  process.exit(code)
}

// A terminal that is closed sends SIGHUP.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (shutdownStartedAt !== undefined) {
      if (performance.now() - shutdownStartedAt > duplicateSignalMs) process.exit(1)
      return
    }
    log.info({ signal }, 'shutting down')
    void shutDown(0)
  })
}

/** Without workers, only logs that there are none: without a handler, the signal would end the process. */
let replaceWorkers = () => log.warn('SIGUSR2 replaces workers, and there are none: set WORKERS')
process.on('SIGUSR2', () => cluster.isPrimary && replaceWorkers())

// Includes unhandled rejections. The state of the process is unknown: shut down, and let the supervisor restart it.
process.on('uncaughtException', (error, origin) => {
  log.fatal({ err: error, origin }, 'uncaught exception')
  if (shutdownStartedAt !== undefined) process.exit(1)
  void shutDown(1)
})

keepFilesPrivate()
let reserved: (() => Promise<void>) | undefined
const isDev = process.argv.includes('--dev')
const config = await (async () => {
  try {
    return await withPort(readConfig())
  } catch (error) {
    if (error instanceof ConfigError) exitWithError(error.message)
    throw error
  }
})()
const logged = openDestination()
const log = openLog(config.logLevel, logged)

let answering: ReturnType<typeof answerWhileMigrating> | undefined
/** Makes a member the first admin, on the first start of an empty site. */
let setupLink: string | undefined
const db = await (async () => {
  try {
    if (cluster.isPrimary) lockDataDir(config)
    const opened = openDatabase(config)
    if (cluster.isPrimary) await prepareDatabase(opened)
    else await requireSchema(opened)
    return opened
  } catch (error) {
    exitWithError(describeFailure(error, config))
  }
})()
closers.unshift(() => db.destroy())
const storage = openStorage(config, log)
const sources = openSources(config, log, recordCalls(db, log))

if (cluster.isWorker) await serve()
else {
  for (const text of [...missingInProduction(config), ...unknownVariables()]) log.warn(text)
  const jobs = await startJobs(jobsOf(db, features, storage, sources), { db, log }).catch((error: unknown) =>
    exitWithError(describeFailure(error, config)),
  )
  closers.unshift(() => jobs.close())
  const deletions = openDeletions({ storage, features }, { db, log })
  closers.unshift(() => deletions.close())
  const rebalancing = openRebalancing({ db, log })
  closers.unshift(() => rebalancing.close())
  const notifications = openNotifications({ db, log })
  closers.unshift(() => notifications.close())
  const port = config.workers > 1 && !isDev ? await serveWithWorkers() : await serve()
  const signIn = config.hasDemo
    ? `Sign in as ${demoSignIn.email} with ${demoSignIn.password}${config.hasDemoHost ? `, as the host with ${hostEmail}` : ''}\n`
    : ''
  const setup = setupLink ? `Become the admin of this site, within 24 hours: ${setupLink}\n` : ''
  const listening = originOf({ host: config.host, port })
  // A browser keeps the logins of `localhost` and `127.0.0.1` apart.
  const isOne = config.publicUrl === listening || otherNameOf(config.publicUrl, new URL(listening).host)
  const links = isOne
    ? ''
    : `Its links, in emails and elsewhere, start with ${config.publicUrl} (PUBLIC_URL)\n`
  // A single write, so that a script that waits for the URL also gets the rest.
  process.stdout.write(`\nMedley is at ${isOne ? config.publicUrl : listening}\n${links}${signIn}${setup}\n`)
}

/** With PORT=0, before anything is written with the address of the site: links begin with it. */
async function withPort(given: Config): Promise<Config> {
  if (given.port !== 0) return given
  const server = createServer()
  await new Promise<void>((resolve) => {
    // The start will report what is wrong with the host.
    server.once('error', () => resolve())
    server.listen(0, given.host, resolve)
  })
  const { port } = (server.address() ?? { port: 0 }) as { port: number }
  reserved = async () => {
    reserved = undefined
    await new Promise((resolve) => server.close(resolve))
  }
  return withListeningPort(given, port)
}

async function prepareDatabase(db: Db): Promise<void> {
  const { pending } = await compareSchema(db)
  if (pending.length > 0) {
    await reserved?.()
    answering = answerWhileMigrating(config)
    log.info({ pending: pending.length }, 'migrating the database')
    await migrate(db, (step) => {
      answering?.note(step)
      log.info(step, step.ms === undefined ? 'migration begins' : 'migration done')
      // The next statement may block this thread for minutes. Pino’s own flush adds listeners for each call.
      logged.flush()
    })
  } else await migrate(db)
  for (const path of await makePrivate(config.dataDir))
    log.warn(
      { path },
      'other users of this machine may use this path, and Medley cannot change that: give DATA_DIR a folder of its own, which belongs to the user that runs Medley',
    )
  const now = new Date()
  try {
    createFolder(join(config.dataDir, 'uploads'))
  } catch (error) {
    // Not fatal: with an S3 bucket the folder is not used.
    log.error({ err: error }, 'the uploads folder cannot be created')
  }
  await loadStarter(db, now)
  if (config.hasDemo) await loadCommunity(db, now, config)
  else await removeCommunity(db)
  if (await isEmptySite(db)) setupLink = await openSetup(db, config.publicUrl, now)
  // Of a killed process. On Postgres, claims may belong to other machines, and expire.
  if (!config.databaseUrl) await endClaims(db, now)
}

/** Returns the port. */
async function serve(): Promise<number> {
  const replica = config.replicaUrl ? openReplica(config.replicaUrl, db, log) : undefined
  if (replica) closers.unshift(() => replica.close())
  const translators = openTranslators()
  const mailer = openMailer({ config, translators, db, log })
  closers.unshift(() => mailer.close())
  const webhooks = openWebhookWorker({ config, features, db, log })
  closers.unshift(() => webhooks.close())
  const live = await openLive({ config, db, log, inboxes: openInboxWatch(db, log) })
  closers.unshift(() => live.close())
  const moderation = openModeration({ live }, { db, log })
  closers.unshift(() => moderation.close())
  const disk = databaseDisk(config)
  const imports = openImports({ db, sources, features, disk, log, instance: config.publicUrl })
  closers.unshift(() => imports.close())
  const services: Services = {
    config,
    db,
    replica,
    live,
    mailer,
    imports,
    sources,
    storage,
    disk,
    features,
    translators,
  }
  const metrics = config.metrics && (await import('#server/http/metrics.ts')).openMetrics(services)
  const app = await buildApp(services, {
    web: isDev ? await devWeb() : await builtWeb(),
    logger: log,
    metrics,
  })
  closers.unshift(async () => {
    const cut = setTimeout(() => app.server.closeAllConnections(), requestsGraceMs)
    await app.close()
    clearTimeout(cut)
  })
  await app.ready()
  collectGarbage()
  await answering?.close()
  await reserved?.()
  await listenOrExit(
    // Fastify would log the URL, which is already printed above.
    app.listen({
      port: config.port,
      host: config.host,
      // Node’s default is 511; the kernel drops connections beyond the backlog without a response.
      backlog: 4_096,
      listenTextResolver: () => 'listening',
    }),
    { PORT: config.port, HOST: config.host },
  )
  if (metrics && !cluster.isWorker) await listenForMetrics(metrics)
  onReplaced(() => {
    closers.unshift(() => drain(app, live))
    void shutDown(0, drainMs)
  })
  return (app.server.address() as { port: number }).port
}

/** This process supervises them; they share state in the database. Returns the port. */
async function serveWithWorkers(): Promise<number> {
  const metrics = config.metrics && (await import('#server/http/metrics.ts')).collectFromWorkers()
  await answering?.close()
  await reserved?.()
  const workers = await startWorkers(config.workers, log, { PORT: String(config.port) })
  // The first worker has failed to listen and printed the reason.
  if (!workers) process.exit(1)
  closers.unshift(() => workers.close())
  replaceWorkers = () => {
    log.info('replacing the workers')
    void workers.replaceAll()
  }
  if (metrics) await listenForMetrics(metrics)
  return workers.port
}

async function listenForMetrics(metrics: Pick<Metrics, 'text'>): Promise<void> {
  const { serveMetrics } = await import('#server/http/metrics.ts')
  const { port, host } = config.metrics!
  const server = await listenOrExit(serveMetrics(metrics, { port, host }), {
    METRICS_PORT: port,
    METRICS_HOST: host,
  })
  closers.unshift(() => server.close())
}

/** If the server cannot listen, exits with an error that names the variable to change. */
async function listenOrExit<T>(
  listening: Promise<T>,
  variables: Record<string, number | string>,
): Promise<T> {
  const [[portName, port], [hostName, host]] = Object.entries(variables) as [
    [string, number],
    [string, string],
  ]
  try {
    return await listening
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      exitWithError(
        `${portName}: ${port} is already in use. Choose another port, or stop the process that listens on it.`,
      )
    if (code === 'EACCES')
      exitWithError(
        `${portName}: ${port} requires privileges that this process does not have. Choose a port from 1024 up.`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      exitWithError(
        `${hostName}: ${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all interfaces.`,
      )
    throw error
  }
}
