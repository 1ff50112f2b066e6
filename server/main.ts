import { pino } from 'pino'
import { openMailer } from '#server/accounts/mailer.ts'
import { openSources } from '#server/catalogue/sources/open.ts'
import { drawPosters } from '#server/catalogue/starter/draw.ts'
import { loadStarter } from '#server/catalogue/starter/load.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { demoSignIn, loadCommunity, removeCommunity } from '#server/demo/community.ts'
import { buildApp } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import type { Services } from './trpc.ts'
import { builtWeb, devWeb } from './web.ts'

/** How long an ending process may take to finish what it began. */
const graceMs = 10_000

/** Says what is wrong in a line and ends; for faults that somebody has to mend before a start can work. */
function refuseToStart(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

const isDev = process.argv.includes('--dev')
const config = await (async () => {
  try {
    return readConfig()
  } catch (error) {
    if (error instanceof ConfigError) refuseToStart(error.message)
    throw error
  }
})()

const log = pino({ level: config.logLevel, redact: ['req.headers.authorization'] })
const databaseFault = `The database cannot be opened or brought up to date. Look at ${config.databaseUrl ? 'DATABASE_URL' : `DATA_DIR (${config.dataDir})`}`
const db = await (async () => {
  try {
    const opened = openDatabase(config)
    await migrate(opened)
    return opened
  } catch (error) {
    refuseToStart(`${databaseFault}: ${(error as Error).message}`)
  }
})()

const now = new Date()
await loadStarter(db, now)
await drawPosters(config.dataDir, (done, of) => {
  if (done % 50 === 0 || done === of)
    process.stdout.write(`Drawing the posters of the starter catalogue: ${done} of ${of}\n`)
}).catch((error: unknown) => log.error({ err: error }, 'posters are missing'))
if (config.hasDemo) await loadCommunity(db, config.dataDir, now)
else await removeCommunity(db)

const mailer = openMailer({ config, db, log })
const services: Services = { config, db, mailer, sources: openSources(config, log) }
const app = await buildApp(services, { web: isDev ? await devWeb() : await builtWeb(), logger: log })

try {
  await app.listen({ port: config.port, host: config.host })
} catch (error) {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    refuseToStart(`PORT: ${config.port} is in use already. Set another, or end what listens there.`)
  throw error
}
const { port } = app.server.address() as { port: number }
process.stdout.write(
  `\nMedley is at http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}\n`,
)
if (config.hasDemo) process.stdout.write(`Sign in as ${demoSignIn.email} with ${demoSignIn.password}\n`)
process.stdout.write('\n')
mailer.flush()

let isEnding = false
async function end(signal: string) {
  if (isEnding) return
  isEnding = true
  log.info({ signal }, 'stopping')
  setTimeout(() => process.exit(1), graceMs).unref()
  await app.close()
  await mailer.close()
  await db.destroy()
  process.exit(0)
}
process.on('SIGTERM', () => void end('SIGTERM'))
process.on('SIGINT', () => void end('SIGINT'))
