import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Each test file has a process of its own, and many start servers: all of them load the same libraries.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node')

const setupFiles = ['scripts/testing/no-console-errors.ts', 'scripts/testing/wait-for.ts']
const shared = {
  setupFiles: [...setupFiles, 'scripts/testing/no-load-shedding.ts', 'scripts/testing/cheap-passwords.ts'],
  // Many tests wait for timers, other processes or a browser: one more worker than processors keeps these busy.
  maxWorkers: availableParallelism() + 1,
  // Generous, for a machine that is several times slower and busy: a passing test never waits for these.
  testTimeout: 180_000,
  hookTimeout: 300_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
}

/** These take the longest by far. */
const longest = [
  'scripts/container.test.ts',
  'server/uploads/memory.test.ts',
  'client/e2e/states.test.ts',
  'scripts/pack.test.ts',
]

/**
 * Starts the longest files first: at the end, one of them would keep a single processor busy. Vitest orders by duration, but in
 * a fresh clone it knows only the sizes of the files.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.some((file) => moduleId.endsWith(file))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'sqlite',
          include: ['{server,shared,scripts,migrations,client}/**/*.test.{ts,tsx}'],
          exclude: [
            'client/e2e/**',
            'server/http/load-shedding.test.ts',
            // These need a Postgres.
            'scripts/move.test.ts',
            'server/{http/rate-limit-store,nodes,replica}.test.ts',
            '**/node_modules/**',
          ],
          provide: { postgresUrl: null },
        },
      },
      {
        test: {
          ...shared,
          name: 'postgres',
          include: ['server/**/*.test.ts', 'scripts/{bench/synthetic-data,move}.test.ts'],
          // These use no database, or SQL that other tests run on Postgres.
          exclude: [
            'server/catalogue/sources/{fetcher,clean,hostile-sources,tmdb,igdb,open-library,open}.test.ts',
            'server/{config,process/concurrency-limit,starter/schema,trpc/zod}.test.ts',
            'server/http/{bodies,body-limits,body-timeout,connections,cors,load-shedding,web}.test.ts',
            'server/imports/{read,read-in-child,hostile-files,plan,formats/values}.test.ts',
            'server/uploads/{bucket,decoder,memory,worst-input}.test.ts',
            '**/node_modules/**',
          ],
          globalSetup: ['scripts/testing/postgres.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          include: ['client/e2e/**/*.test.ts'],
          // Of some 250 journeys through a real browser, a busy machine makes one miss a frame now and then. The report marks
          // a test that needed its second run.
          retry: 1,
          // Each poll is a call through three processes.
          expect: { poll: { ...shared.expect.poll, interval: 50 } },
          globalSetup: ['scripts/testing/browser.ts'],
          provide: { postgresUrl: null },
        },
      },
      {
        test: {
          ...shared,
          name: 'load',
          setupFiles,
          include: ['server/http/load-shedding.test.ts'],
          // Needs the processors for itself, so it runs after all others.
          sequence: { groupOrder: 1 },
          provide: { postgresUrl: null },
        },
      },
    ],
  },
})
