import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'sqlite',
          include: ['{server,shared,scripts,migrations,client}/**/*.test.{ts,tsx}'],
          // These need a Postgres.
          exclude: [
            'client/e2e/**',
            'scripts/move.test.ts',
            'server/{http/rate-limit-store,nodes,replica}.test.ts',
            '**/node_modules/**',
          ],
          setupFiles: ['scripts/testing/no-console-errors.ts'],
          provide: { postgresUrl: null },
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'postgres',
          include: ['server/**/*.test.ts', 'scripts/{bench/synthetic-data,move}.test.ts'],
          // These use no database.
          exclude: [
            'server/catalogue/sources/{fetcher,clean,hostile-sources,tmdb,igdb,open-library,open}.test.ts',
            'server/{config,http/load-shedding,trpc/zod}.test.ts',
            'server/starter/schema.test.ts',
            '**/node_modules/**',
          ],
          globalSetup: ['scripts/testing/postgres.ts'],
          setupFiles: ['scripts/testing/no-console-errors.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['client/e2e/**/*.test.ts'],
          globalSetup: ['scripts/testing/browser.ts'],
          provide: { postgresUrl: null },
          // Pages mostly wait, so two workers are enough. They run after the other projects, whose timings they would affect.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // The same as the browser’s own timeout.
          expect: { poll: { timeout: 15_000, interval: 20 } },
        },
      },
    ],
  },
})
