import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ConfirmHolds } from './scripts/testing/confirm-holds.ts'

// Each test file has its own process, and many start servers. All of them load the same libraries.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node')

/**
 * Slow files that test what rarely breaks, by project. `npm test` leaves them out; `npm run test:full` runs them, but no file that
 * `npm test` runs. A file that takes more than ten seconds of CPU time belongs here, unless it is the only test of a feature.
 */
const slow = {
  sqlite: [
    // Packs the program and installs it with npm.
    'scripts/dev/pack.test.ts',
    // Installs nginx and Caddy, and sends files of 32 MB.
    'scripts/dev/deployment.test.ts',
    // Kills the server and Postgres again and again.
    'server/kill.test.ts',
    // Decodes the largest pictures of each format.
    'server/uploads/memory.test.ts',
    // Every command with every bad value, each in a process of its own.
    'scripts/commands/commands.test.ts',
    // Full disks, databases and sources that fail or hang, clients that stall.
    'server/faults.test.ts',
    'server/http/limits/connections.test.ts',
    'server/uploads/bucket.test.ts',
    // Sends unusual texts to every field of every call.
    'server/hostile-text.test.ts',
    // Starts and ends the program in every way.
    'scripts/dev/start.test.ts',
    // Read and change thousands of rows of a large site.
    'server/reads-at-size.test.ts',
    'server/writes-at-size.test.ts',
    // Sends thousands of large bodies to every route.
    'server/http/doors/bodies.test.ts',
    // Lints the API document with two linters.
    'scripts/dev/openapi-lint.test.ts',
    // Measure how long each call holds the event loop on a large site.
    'server/event-loop.test.ts',
    // Draws pictures in several shapes.
    'server/http/files/share-pictures.test.ts',
    // Search for the responses, files and pictures that cost the most.
    'server/titles/sources/hostile-sources.test.ts',
    'server/imports/hostile-files.test.ts',
    // Decodes large and broken pictures of each format.
    'server/uploads/pictures.test.ts',
    'server/uploads/worst-input.test.ts',
    // Starts the program with each umask.
    'server/process/private-files.test.ts',
    // Read files in processes of their own, several at once.
    'server/imports/read/child.test.ts',
    'server/http/files/imports.test.ts',
  ],
  browser: [
    // Counts the presses of what members do most, and tries each state of the cookie that opens a member’s pages.
    'client/e2e/clicks.test.ts',
    'client/e2e/member-pages.test.ts',
    // Every act that takes something away, asked about.
    'client/e2e/questions.test.ts',
    // Each dialog left in each way, and the journey of a newcomer with a screen reader.
    'client/e2e/dialogs.test.ts',
    'client/e2e/screen-reader.test.ts',
    // Deletes the account, after a download of everything.
    'client/e2e/your-data.test.ts',
    // Marks and deletes reviews and comments, in both sizes.
    'client/e2e/permalinks.test.ts',
    // Needs a second browser.
    'client/e2e/firefox.test.ts',
    // Keeps a processor busy, to slow pages down.
    'client/e2e/interaction.test.ts',
    // Start and end the program in every way.
    'client/e2e/interrupted-imports.test.ts',
    'client/e2e/ops.test.ts',
    // Starts a server of its own for each size.
    'client/e2e/host.test.ts',
    'client/e2e/offers.test.ts',
    'client/e2e/start.test.ts',
    // Open several browsers, with authenticators, and start providers.
    'client/e2e/confirmation.test.ts',
    'client/e2e/providers.test.ts',
    'client/e2e/sign-in.test.ts',
    // Every page: in many widths and sizes of text, with the longest and strangest texts, by keyboard, while it loads and is hydrated, in each state.
    'client/e2e/layout.test.ts',
    'client/e2e/hostile.test.ts',
    'client/e2e/keyboard.test.ts',
    'client/e2e/loading.test.ts',
    'client/e2e/rendering.test.ts',
    'client/e2e/speed.test.ts',
    'client/e2e/states.test.ts',
    // Starts a server of its own in the pseudo language, and opens every page.
    'client/e2e/pseudo.test.ts',
  ],
  // Block the event loop or send thousands of calls, and need the processors for themselves.
  load: ['server/http/limits/load-shedding.test.ts', 'server/http/limits/overload.test.ts'],
}

/**
 * The files that `npm test` also runs on Postgres: those whose subject differs the most between the databases (search, sums of counters,
 * claims and locks, races, notifications), and one journey through every call, `server/contract.test.ts`. `npm run test:full` runs all
 * others on Postgres.
 */
const dialectSensitive = [
  'scripts/bench/synthetic-data.test.ts',
  'server/{contract,replica}.test.ts',
  'server/accounts/{challenge,mailer,races,router,sign-in,sweep}.test.ts',
  'server/admin/members.test.ts',
  'server/titles/{items,move,names,shown-names,parts,popular,router}.test.ts',
  'server/changes/change-log.test.ts',
  'server/db/{open,postgres-client,rollups,tasks}.test.ts',
  'server/diary/{router,steps}.test.ts',
  'server/offers/router.test.ts',
  'server/feed/router.test.ts',
  'server/http/limits/rate-limit-store.test.ts',
  'server/imports/{journal,upgrade}.test.ts',
  'server/moderation/{lists,router}.test.ts',
  'server/privacy/{races,router}.test.ts',
  'server/progress/{calendar,marks}.test.ts',
  'server/process/queue.test.ts',
  'server/reviews/{half-stars-migration,library,live,router,withheld}.test.ts',
  'server/social/{router,taste-router}.test.ts',
  'server/site/site.test.ts',
  'server/uploads/orphans.test.ts',
]

/** `npm test` leaves out the variations in these files (scripts/testing/variation.ts), so `npm run test:full` runs them too. */
const withVariations = globSync('{client,server,scripts}/**/*.test.ts', {
  exclude: ['**/node_modules/**'],
}).filter((file) => readFileSync(file, 'utf8').includes('testing/variation.ts'))

/** These run no SQL, or only SQL that other tests run on Postgres. */
const withoutSql = [
  // Copies the migrated SQLite database, which the Postgres project has not.
  'scripts/commands/commands.test.ts',
  'server/titles/sources/{fetcher,clean,hostile-sources,tmdb,tmdb-offers,igdb,open-library,open}.test.ts',
  'server/{config,reads-at-size,process/concurrency-limit,starter/pictures,calls/run,calls/written}.test.ts',
  'server/http/{proxies,doors/bodies,cors,files/pictures,limits/body-*,limits/connections,limits/load-shedding,limits/overload,pages/web}.test.ts',
  'server/imports/{hostile-files,read/file,read/child}.test.ts',
  'server/uploads/{bucket,decoder,memory,pictures,worst-input}.test.ts',
]

/**
 * These run in both modes, and differ by mode (`import.meta.env.MODE`): the fuzzer sends more, moderators decide more, and members rate and mark
 * more in the second one, which also uses Postgres; the journeys in both sizes use a desktop in the first one and a phone in the second one.
 */
const inBothModes = {
  server: ['server/{fuzz,moderation/decisions,progress/marks,reviews/halves}.test.ts'],
  browser: ['client/e2e/{library,live,moderation,thread}.test.ts'],
}

const differing = [...withVariations, ...globSync(inBothModes.server)]
const ranOnPostgres = globSync(dialectSensitive).filter((file) => !differing.includes(file))

const onlyPostgres = [
  'scripts/commands/move.test.ts',
  'server/{http/limits/rate-limit-store,nodes,replica}.test.ts',
]

/** These share a process: they need no server and no database, and leave nothing behind in a module or a global. */
const pure = [
  'client/!(e2e)/**/*.test.{ts,tsx}',
  'shared/**/*.test.ts',
  'server/**/rules.test.ts',
  'server/{imports/match/join,imports/read/formats/*,titles/match/keys,text/{translator,choose-language},starter/schema,calls/errors,calls/zod}.test.ts',
]

const browser = 'client/e2e/**/*.test.ts'

const setupFiles = ['scripts/testing/no-console-errors.ts', 'scripts/testing/wait-for.ts']
const shared = {
  setupFiles: [...setupFiles, 'scripts/testing/doubles.ts', 'scripts/testing/watch-holds.ts'],
  // Many tests wait for timers, other processes or a browser: one more worker than processors keeps these busy.
  maxWorkers: availableParallelism() + 1,
  // Generous, for a machine that is several times slower and busy: a passing test never waits for these.
  // No test asks a server elsewhere.
  env: { TVMAZE_URL: 'off' },
  testTimeout: 180_000,
  hookTimeout: 300_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
}

const browserProject = {
  ...shared,
  // The files of a process share its browser, which keeps the compiled code of earlier pages.
  isolate: false,
  // On a busy machine, one of some 250 journeys through a real browser sometimes misses a frame. The report marks a test
  // that needed a second run.
  retry: 1,
  // Each poll is a call through three processes.
  expect: { poll: { ...shared.expect.poll, interval: 50 } },
}
const pseudoLanguage = join(import.meta.dirname, 'scripts/testing/pseudo-language.ts')

/** The browser tests that `npm run test:full` does not run in the pseudo language. */
const englishOnly = [
  // Starts a site in the pseudo language itself.
  'client/e2e/pseudo.test.ts',
  // Has a driver of its own.
  'client/e2e/firefox.test.ts',
  // Looks for texts of members, which are the same in all languages.
  'client/e2e/hostile.test.ts',
  // Windows of 320 pixels, and texts at 200 %, are too narrow for the additions. pseudo.test.ts and states.test.ts look at 390 and 1280 pixels.
  'client/e2e/layout.test.ts',
  // Measure times.
  'client/e2e/interaction.test.ts',
  'client/e2e/speed.test.ts',
]

/** The files that take by far the longest. */
const longest = ['scripts/dev/pack.test.ts', 'server/uploads/memory.test.ts', 'client/e2e/states.test.ts']

/**
 * Starts the longest files first, because a long file at the end would use a single processor. Vitest orders by duration, but in a
 * fresh clone it only knows the sizes of the files.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.some((file) => moduleId.endsWith(file))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** The slow files that the command line names run in `npm test` too. */
const named = process.argv.slice(2).filter((argument) => /\.test\.tsx?$/.test(argument))
const without = (files: string[]) => files.filter((file) => !named.some((path) => path.endsWith(file)))

export default defineConfig(({ mode }) => {
  const isFull = mode === 'full'
  /** Selects the files of a project: those that match `all` and are not slow, or the slow ones. */
  const select = (all: string[], slowFiles: string[] = [], exclude: string[] = []) =>
    isFull
      ? { include: slowFiles, exclude: ['**/node_modules/**'] }
      : { include: all, exclude: ['**/node_modules/**', ...exclude, ...without(slowFiles)] }
  const provide = { postgresUrl: null, runsVariations: isFull || named.length > 0 }
  return {
    test: {
      reporters: ['default', new ConfirmHolds()],
      sequence: { sequencer: LongestFirst },
      projects: [
        {
          test: {
            ...shared,
            // Without the watch of the event loop: a property is tried a thousand times in one turn.
            setupFiles: [...setupFiles, 'scripts/testing/doubles.ts'],
            name: 'pure',
            ...select(pure),
            isolate: false,
          },
        },
        {
          test: {
            ...shared,
            name: 'sqlite',
            ...select(['{server,shared,scripts,migrations,client}/**/*.test.{ts,tsx}'], slow.sqlite, [
              ...pure,
              browser,
              ...slow.load,
              ...onlyPostgres,
            ]),
            ...(isFull && {
              include: [...slow.sqlite, ...inBothModes.server, ...withVariations],
              exclude: ['**/node_modules/**', browser],
            }),
            // The files of a process share the modules that they load. Slow files measure, and have a process each.
            isolate: isFull,
            globalSetup: ['scripts/testing/migrated.ts'],
            provide,
          },
        },
        {
          test: {
            ...shared,
            name: 'postgres',
            isolate: false,
            ...(isFull
              ? {
                  include: ['server/**/*.test.ts', 'scripts/commands/move.test.ts'],
                  exclude: [...pure, ...withoutSql, ...ranOnPostgres],
                }
              : {
                  include: [...dialectSensitive, ...named],
                  exclude: [...pure, ...withoutSql, 'client/**'],
                }),
            globalSetup: ['scripts/testing/postgres.ts'],
            provide: { runsVariations: provide.runsVariations },
          },
        },
        {
          test: {
            ...browserProject,
            name: 'browser',
            ...select([browser], slow.browser),
            ...(isFull && {
              include: [...slow.browser, ...inBothModes.browser, ...withVariations],
              exclude: ['!(client)/**'],
            }),
            globalSetup: ['scripts/testing/browser.ts'],
            provide: { ...provide, pseudoLanguage: null },
          },
        },
        {
          test: {
            ...browserProject,
            name: 'pseudo',
            include: isFull ? [browser] : [],
            exclude: ['**/node_modules/**', ...englishOnly],
            globalSetup: ['scripts/testing/pseudo-browser.ts'],
            setupFiles: [...shared.setupFiles, 'scripts/testing/pseudo-exceptions.ts'],
            // The programs that tests start have the language too.
            env: { ...shared.env, NODE_OPTIONS: `--import=${pseudoLanguage}` },
            provide: { ...provide, pseudoLanguage: 'en-XA' },
          },
        },
        {
          test: {
            ...shared,
            name: 'load',
            setupFiles,
            ...select(slow.load, slow.load),
            // Needs the processors for itself, so it runs after all others.
            sequence: { groupOrder: 1 },
            globalSetup: ['scripts/testing/migrated.ts'],
            provide,
          },
        },
      ],
    },
  }
})
