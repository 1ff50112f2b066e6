import cluster from 'node:cluster'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openMailer } from '#server/accounts/mailer.ts'
import { startRemovingStale } from '#server/accounts/sweep.ts'
import { openSources } from '#server/catalogue/sources/open.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { openReplica } from '#server/db/replica.ts'
import { openLive } from '#server/reviews/live.ts'
import { demoSignIn, loadCommunity, removeCommunity } from '#server/starter/community.ts'
import { loadStarter } from '#server/starter/load.ts'
import { startRemovingOrphans } from '#server/uploads/orphans.ts'
import { openStorage } from '#server/uploads/storage.ts'
import { buildApp } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { openLog } from '#server/process/log.ts'
import type { Metrics } from '#server/http/metrics.ts'
import type { Services } from '#server/trpc/context.ts'
import { builtWeb, devWeb } from '#server/http/web.ts'
import { startWorkers } from '#server/process/workers.ts'

/** How long an ending process may take to finish what it began: of that the requests in flight, then the mails. */
const graceMs = 10_000
const requestsGraceMs = 4_000
/** A Ctrl-C arrives twice, since npm hands on what the terminal has sent already; a person takes longer. */
const sameSignalMs = 500

/** Says what is wrong in a line and ends; for faults that somebody has to mend before a start can work. */
function refuseToStart(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/** Close what is open; what was opened last comes first. */
const closers: (() => Promise<void>)[] = []
let endingSince: number | undefined

async function end(code: number): Promise<void> {
  endingSince = performance.now()
  setTimeout(() => {
    log.error('stopping took too long')
    process.exit(1)
  }, graceMs).unref()
  try {
    for (const close of closers) await close()
  } catch (error) {
    log.error({ err: error }, 'stopping failed')
    process.exit(1)
  }
  process.exit(code)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (endingSince !== undefined) {
      if (performance.now() - endingSince > sameSignalMs) process.exit(1)
      return
    }
    log.info({ signal }, 'stopping')
    void end(0)
  })
}

// Rejections that nobody handles arrive here too. What such an error left behind is unknown: go down and be started anew.
process.on('uncaughtException', (error, origin) => {
  log.fatal({ err: error, origin }, 'unforeseen error')
  if (endingSince !== undefined) process.exit(1)
  void end(1)
})

const isDev = process.argv.includes('--dev')
const config = (() => {
  try {
    return readConfig()
  } catch (error) {
    if (error instanceof ConfigError) refuseToStart(error.message)
    throw error
  }
})()
const log = openLog(config.logLevel)

const databaseFault = `The database cannot be opened or brought up to date. Look at ${config.databaseUrl ? 'DATABASE_URL' : `DATA_DIR (${config.dataDir})`}`
const db = await (async () => {
  try {
    const opened = openDatabase(config)
    if (cluster.isPrimary) await migrate(opened)
    return opened
  } catch (error) {
    refuseToStart(`${databaseFault}: ${(error as Error).message}`)
  }
})()
closers.unshift(() => db.destroy())
const storage = openStorage(config, log)

if (cluster.isWorker) await serve()
else {
  await prepare()
  const removing = startRemovingOrphans({ db, storage, log })
  closers.unshift(() => removing.close())
  const sweeping = startRemovingStale({ db, log })
  closers.unshift(() => sweeping.close())
  const port = config.workers > 1 && !isDev ? await serveByWorkers() : await serve()
  const signIn = config.hasDemo ? `Sign in as ${demoSignIn.email} with ${demoSignIn.password}\n` : ''
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  // In one piece: who waits for the address has the rest as well.
  process.stdout.write(`\nMedley is at http://${host}:${port}\n${signIn}\n`)
}

/** Loads the catalogue and the community at the first start; later ones find them there. */
async function prepare(): Promise<void> {
  const now = new Date()
  try {
    await mkdir(join(config.dataDir, 'uploads'), { recursive: true })
  } catch (error) {
    // With a bucket nothing is written there.
    log.error({ err: error }, 'the folder for uploads cannot be created')
  }
  await loadStarter(db, now)
  if (config.hasDemo) await loadCommunity(db, now)
  else await removeCommunity(db)
}

/** Answers the port. */
async function serve(): Promise<number> {
  const replica = config.replicaUrl ? openReplica(config.replicaUrl, db, log) : undefined
  if (replica) closers.unshift(() => replica.close())
  const mailer = openMailer({ config, db, log })
  closers.unshift(() => mailer.close())
  const live = await openLive({ config, db, log })
  closers.unshift(() => live.close())
  const services: Services = {
    config,
    db,
    replica,
    live,
    mailer,
    sources: openSources(config, log),
    storage,
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
  await orRefuse(
    // The address is told once, above, and on standard output: Fastify would log it as well.
    app.listen({
      port: config.port,
      host: config.host,
      // Of more that come at once the system would break off some, who then hear nothing; Node's own is 511.
      backlog: 4_096,
      listenTextResolver: () => 'listening',
    }),
    { PORT: config.port, HOST: config.host },
  )
  if (metrics && !cluster.isWorker) await listenForMetrics(metrics)
  mailer.flush()
  return (app.server.address() as { port: number }).port
}

/** Answers the port. This process prepares and looks after them; what they share is in the database. */
async function serveByWorkers(): Promise<number> {
  const workers = await startWorkers(config.workers, log)
  // What kept the first of them from listening, it has said.
  if (!workers) process.exit(1)
  closers.unshift(() => workers.close())
  if (config.metrics) await listenForMetrics((await import('#server/http/metrics.ts')).collectFromWorkers())
  return workers.port
}

/** Serves metrics where the configuration has a port for them. */
async function listenForMetrics(metrics: Pick<Metrics, 'text'>): Promise<void> {
  const { serveMetrics } = await import('#server/http/metrics.ts')
  const { port, host } = config.metrics!
  const server = await orRefuse(serveMetrics(metrics, { port, host }), {
    METRICS_PORT: port,
    METRICS_HOST: host,
  })
  closers.unshift(() => server.close())
}

/** Waits for a server to listen; where it cannot, the process ends with the name of the variable that is wrong. */
async function orRefuse<T>(listening: Promise<T>, variables: Record<string, number | string>): Promise<T> {
  const [[portName, port], [hostName, host]] = Object.entries(variables) as [
    [string, number],
    [string, string],
  ]
  try {
    return await listening
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      refuseToStart(`${portName}: ${port} is in use already. Set another, or end what listens there.`)
    if (code === 'EACCES')
      refuseToStart(`${portName}: ${port} is not for everybody to listen on. Set one from 1024 on.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      refuseToStart(`${hostName}: ${host} is no address of this machine.`)
    throw error
  }
}
