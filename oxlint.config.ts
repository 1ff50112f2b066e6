import { defineConfig, type OxlintOverride } from 'oxlint'

/**
 * The import rules (docs/architecture.md, “Who may import whom”). Each layer lists everything that it may import; any other import is
 * an error, including an unknown package. A later layer overrides an earlier one. Layers are described by folder depth and file name,
 * so that a new feature folder needs no change here.
 */
type Layer = {
  files: string[]
  may: string[]
  /** May be imported as types only. */
  types?: string[]
}

/** A package and its subpaths. */
const npm = (...names: string[]) => names.flatMap((name) => [name, `${name}/**`])
/** Any package; `#` paths and relative paths are not packages. */
const anyPackage = ['*', '*/**', '!#*/**', '!./**', '!../**']
const anyOnServer = [
  ...anyPackage,
  './**',
  '../../package.json',
  '../../../package.json',
  '#server/**',
  '#shared/*',
  '#migrations/*',
]
const clientRoot = ['#client/*', '#shared/*']
const clientPackages = npm(
  'altcha-lib',
  'react',
  'react-dom',
  '@base-ui/react',
  '@tanstack',
  '@trpc/client',
  '@trpc/react-query',
  '@trpc/server',
  'clsx',
  'lucide-react',
)

const layers: Layer[] = [
  { files: ['shared/**'], may: ['zod', './*'] },

  { files: ['server/**'], may: anyOnServer },
  {
    files: ['server/http/pages/{web,pages}.ts'],
    may: [...anyPackage, './*', '#server/**', '#shared/*'],
    types: ['#client/server.tsx'],
  },
  {
    files: ['server/trpc/**'],
    may: [...npm('@trpc/server', 'zod', 'cockatiel'), 'node:crypto', './*', '#shared/*', '#server/db/*'],
    types: [
      'fastify',
      'trpc-to-openapi',
      '#server/config.ts',
      '#server/feature.ts',
      '#server/privacy/policy.ts',
      // The services of the context.
      '#server/accounts/mailer.ts',
      '#server/catalogue/sources/source.ts',
      '#server/imports/work.ts',
      '#server/process/disk.ts',
      '#server/reviews/live.ts',
      '#server/uploads/storage.ts',
    ],
  },
  {
    files: ['server/db/**'],
    may: [
      ...npm('kysely', 'better-sqlite3', 'pg', 'cockatiel', 'lru-cache', 'unhomoglyph'),
      'node:*',
      'node:*/*',
      './*',
      '#shared/*',
      '#server/process/slices.ts',
    ],
    types: ['#server/config.ts', 'fastify'],
  },
  { files: ['server/*/store.ts', 'server/**/*-store.ts'], may: ['kysely', '#server/db/*', '#shared/*'] },
  // Not the store of a feature: a part of the rate limiter.
  { files: ['server/http/limits/rate-limit-store.ts'], may: anyOnServer },
  {
    files: ['server/*/rules.ts'],
    may: ['node:crypto', 'node:url', '#shared/*', '#server/db/fold.ts', '#server/db/spans.ts'],
    types: ['zod', '#server/db/tables.ts'],
  },
  {
    files: ['server/*/*router.ts'],
    may: [
      '@trpc/server',
      './**',
      '#shared/*',
      '#server/trpc/*',
      '#server/*/store.ts',
      '#server/*/*-store.ts',
      '#server/*/rules.ts',
      '#server/db/fold.ts',
      '#server/db/settings.ts',
      '#server/db/spans.ts',
    ],
    types: ['zod', '#server/db/open.ts', '#server/db/tables.ts', '#server/feature.ts'],
  },

  {
    files: ['migrations/**'],
    may: ['kysely', ...['change-log', 'dialect', 'fold', 'packed'].map((file) => `#server/db/${file}.ts`)],
  },
  {
    files: ['scripts/**'],
    may: [...anyPackage, './**', '../*', '../*/*', '#server/**', '#shared/*', '#migrations/*', '#scripts/**'],
  },

  {
    files: ['client/**'],
    may: [...clientPackages, './**', ...clientRoot, '#client/ui/*'],
    types: ['#server/router.ts', 'zod'],
  },
  // Features: their own folder, the kit and the root modules. Features meet in routes.
  {
    files: ['client/*/*/**'],
    may: [...clientPackages, 'zod', './**', '../*', '../*/*', ...clientRoot, '#client/ui/*'],
  },
  { files: ['client/routes/**'], may: [...clientPackages, './**', '../**', '#client/**', '#shared/*'] },
  {
    files: ['client/ui/**'],
    may: [...npm('react', '@base-ui/react', 'clsx', 'lucide-react'), 'react-dom', './*', '#shared/images.ts'],
  },
  {
    files: ['**/*.test.{ts,tsx}', 'client/e2e/**', 'client/vite.*.ts', 'server/testing.ts'],
    may: ['**'],
  },
]

const rulesMessage = 'See “Who may import whom” in docs/architecture.md.'

function restrict({ files, may, types = [] }: Layer) {
  const allowed = [...may, ...types].map((pattern) =>
    pattern.startsWith('!') ? pattern.slice(1) : `!${pattern}`,
  )
  return {
    files,
    rules: {
      'no-restricted-imports': [
        'error' as const,
        {
          patterns: [
            // These come first, because an import that a group allows is not checked any further.
            ...types.map((name) => ({
              regex: `^${name.replaceAll('.', '\\.')}$`,
              allowTypeImports: true,
              message: `Types only. ${rulesMessage}`,
            })),
            { group: ['**', ...allowed], message: rulesMessage },
          ],
        },
      ],
    },
  } satisfies OxlintOverride
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'promise', 'node', 'vitest'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
  },
  ignorePatterns: ['dist', 'data', 'scripts/no-compiler', 'client/route-tree.gen.ts'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'node/no-process-env': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    eqeqeq: ['error', 'always'],
    'no-console': 'off',
    'import/no-default-export': 'error',
    'no-shadow': 'off',
    'react/react-in-jsx-scope': 'off',
    'import/no-unassigned-import': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'promise/always-return': 'off',
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'oxc/approx-constant': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'import/no-named-as-default-member': 'off',
    'vitest/no-standalone-expect': 'off',
    'vitest/valid-expect': 'off',
    'vitest/no-conditional-expect': 'off',
    'vitest/require-to-throw-message': 'off',
  },
  overrides: [
    ...layers.map(restrict),
    {
      files: ['server/config.ts', 'scripts/**/*.ts', 'bin/*.js', 'vitest.config.ts', 'server/testing.ts'],
      rules: {
        'node/no-process-env': 'off',
      },
    },
    {
      files: ['**/*.test.{ts,tsx}', 'client/e2e/**', 'server/testing.ts'],
      rules: {
        'node/no-process-env': 'off',
      },
    },
    {
      files: ['*.config.ts', 'client/vite.*.ts', 'scripts/testing/*.ts'],
      rules: {
        'import/no-default-export': 'off',
      },
    },
    {
      files: ['client/e2e/**'],
      rules: {
        'vitest/expect-expect': 'off',
      },
    },
  ],
})
