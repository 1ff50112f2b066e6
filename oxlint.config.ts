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

/**
 * The folders and root files of `server/`, from the ground up. A folder imports values only from those before it; types may come from
 * anywhere. docs/architecture.md draws the same list. What a folder must cause in a later one is registered in `feature.ts`, or queued as
 * a task.
 */
export const serverFolders = [
  ['text', 'plain texts: escaped, cut, converted from HTML, translated, read as settings'],
  ['config.ts', 'the configuration, read from the environment'],
  ['db', 'opens and migrates the database; prepared queries, rows, tasks, counters'],
  ['feature.ts', 'what a feature contributes to code that covers all of them'],
  ['members', 'what members may see of each other; the settings of the site'],
  ['calls', 'procedures: who may call them, their context, how they run, errors, audit'],
  ['process', 'the queue, jobs, workers, limits of concurrency, disk, private files, lock, log'],
  ['starter', 'the starter catalogue as data and as a source'],
  ['uploads', 'pictures of members: decoded, stored, removed; smaller widths of the starter’s pictures'],
  ['titles', 'titles of all kinds, their sources, search'],
  ['offers', 'where titles can be watched; the streaming services of members'],
  ['accounts', 'accounts, sessions, tokens, mails, what notifies members'],
  ['site', 'the settings of the site, its set-up, invites'],
  ['social', 'follows, favorites, blocks, mutes, taste'],
  ['reviews', 'ratings, reviews, comments, reactions, the library'],
  ['progress', 'seasons, episodes and what members have watched of them'],
  ['diary', 'the diary and the want list'],
  ['lists', 'lists and their editors'],
  ['feed', 'the feed, For You, similar titles'],
  ['notifications', 'the inbox and the daily email'],
  ['privacy', 'who may see what; private accounts, blocks and mutes as calls'],
  ['changes', 'the change log as calls'],
  ['webhooks', 'webhooks and their deliveries'],
  ['export', 'the export of a member'],
  ['moderation', 'reports, cases, decisions, appeals'],
  ['admin', 'members and overview for hosts'],
  ['imports', 'imports from other services'],
  ['share', 'share pictures and link previews'],
  ['http', 'transports, files, pages, limits, the API document'],
  ['router.ts', 'all procedures and features'],
  ['demo', 'the demo community'],
  ['app.ts', 'the HTTP server'],
  ['jobs.ts', 'what runs at intervals'],
  ['main.ts', 'the process'],
] as const

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
  '#shared/**',
  '#migrations/*',
]
/** What screens of several features use, from the ground up: each may import what comes before it, and features import all of them. */
export const clientFolders = [
  ['ui', 'the component kit, which knows nothing of the app'],
  ['app', 'the session, calls, the query cache, and what any screen uses'],
  ['titles', 'what several features show of a title'],
  ['members', 'what several features show of a member'],
] as const
/** Returns what a folder of the client may import that comes before it. */
const clientBelow = (folder: string) => {
  const names = clientFolders.map(([name]) => name as string)
  const below = names.includes(folder) ? names.slice(0, names.indexOf(folder)) : names
  return ['./**', ...below.map((name) => `#client/${name}/*`), '#shared/**']
}
const clientPackages = npm(
  '@simplewebauthn/browser',
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
  'uqr',
)

const layers: Layer[] = [
  { files: ['shared/domain/**'], may: ['./*'], types: ['#shared/contracts/site.ts'] },
  { files: ['shared/texts/**'], may: ['./*', '#shared/domain/*'] },
  { files: ['shared/contracts/**'], may: ['zod', './*', '#shared/domain/*', '#shared/texts/*'] },

  { files: ['server/**'], may: anyOnServer },
  {
    files: ['server/http/pages/{web,pages}.ts'],
    may: [...anyPackage, './*', '#server/**', '#shared/**'],
    types: ['#client/server.tsx'],
  },
  {
    files: ['server/calls/**'],
    may: [
      ...npm('@trpc/server', 'zod', 'cockatiel'),
      'node:crypto',
      './*',
      '#shared/**',
      '#server/text/*',
      '#server/db/*',
      '#server/members/*',
    ],
    types: [
      'fastify',
      'trpc-to-openapi',
      '#server/config.ts',
      '#server/feature.ts',
      '#server/privacy/policy.ts',
      // The services of the context.
      '#server/accounts/mailer.ts',
      '#server/titles/sources/source.ts',
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
      '#shared/**',
    ],
    types: ['#server/config.ts', '#server/process/queue-names.ts', 'fastify'],
  },
  {
    files: ['server/*/tables.ts'],
    may: ['kysely', '#server/*/tables.ts', '#shared/**'],
    types: ['#server/process/queue-names.ts'],
  },
  {
    files: ['server/*/store.ts', 'server/**/*-store.ts'],
    may: [
      'kysely',
      './tables.ts',
      '#server/*/tables.ts',
      '#server/db/*',
      '#server/members/*',
      '#server/titles/airing.ts',
      '#shared/**',
    ],
  },
  // Not the store of a feature: a part of the rate limiter.
  { files: ['server/http/limits/rate-limit-store.ts'], may: anyOnServer },
  {
    files: ['server/*/rules.ts'],
    may: [
      'node:crypto',
      'node:url',
      './tables.ts',
      '#server/*/tables.ts',
      '#shared/**',
      '#server/db/fold.ts',
      '#server/db/spans.ts',
      '#server/titles/airing.ts',
    ],
    types: ['zod'],
  },
  {
    files: ['server/*/*router.ts'],
    may: [
      '@trpc/server',
      './**',
      '#shared/**',
      '#server/calls/*',
      '#server/*/store.ts',
      '#server/*/*-store.ts',
      '#server/*/rules.ts',
      '#server/*/tables.ts',
      // Emails to members.
      '#server/accounts/links.ts',
      '#server/accounts/notices.ts',
      '#server/db/fold.ts',
      '#server/members/settings.ts',
      '#server/db/spans.ts',
      '#server/titles/airing.ts',
    ],
    types: ['zod', '#server/db/open.ts', '#server/feature.ts'],
  },

  {
    files: ['migrations/**'],
    may: [
      'kysely',
      '#server/changes/change-log.ts',
      ...['dialect', 'fold', 'packed'].map((file) => `#server/db/${file}.ts`),
    ],
  },
  {
    files: ['scripts/**'],
    may: [
      ...anyPackage,
      './**',
      '../../package.json',
      '../../bin/commands.json',
      '#server/**',
      '#shared/**',
      '#migrations/*',
      '#scripts/**',
    ],
    types: ['#client/server.tsx'],
  },

  // The entries.
  {
    files: ['client/**'],
    may: [...clientPackages, './**', '#client/**', '#shared/**'],
    types: ['#server/router.ts', 'zod'],
  },
  // A feature: its own folder and what stands below. Features meet in routes.
  {
    files: ['client/*/**'],
    may: [...clientPackages, ...clientBelow('<feature>')],
    types: ['#server/router.ts', 'zod'],
  },
  {
    files: ['client/*/*/**'],
    may: [...clientPackages, 'zod', '../*', '../*/*', ...clientBelow('<feature>')],
  },
  ...clientFolders.map(([folder]) => ({
    files: [`client/${folder}/**`],
    may: [...clientPackages, ...clientBelow(folder)],
    types: ['#server/router.ts', '#client/route-tree.gen.ts', 'zod'],
  })),
  { files: ['client/routes/**'], may: [...clientPackages, './**', '../**', '#client/**', '#shared/**'] },
  {
    files: ['client/ui/**'],
    may: [
      ...npm('react', '@base-ui/react', 'clsx', 'lucide-react'),
      'react-dom',
      './*',
      '#shared/domain/message.ts',
      '#shared/domain/images.ts',
      '#shared/domain/ratings.ts',
    ],
  },
  {
    files: ['**/*.test.{ts,tsx}', 'client/e2e/**', 'client/vite.*.ts', 'server/testing.ts'],
    may: ['**'],
  },
]

const rulesMessage = 'See “Who may import whom” in docs/architecture.md.'

function restrict({ files, may, types = [] }: Layer, laterFolders: readonly string[] = []) {
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
            ...(laterFolders.length === 0
              ? []
              : [
                  {
                    regex: `^#server/(${laterFolders.join('|').replaceAll('.', '\\.')})(/|$)`,
                    allowTypeImports: true,
                    message: `A value from a later folder. ${rulesMessage}`,
                  },
                ]),
            { group: ['**', ...allowed], message: rulesMessage },
          ],
        },
      ],
    },
  } satisfies OxlintOverride
}

/** Returns the rules of a layer; in `server/`, for each folder and root file, which import no values from later ones. */
function restrictByFolder(layer: Layer): OxlintOverride[] {
  const names = serverFolders.map(([name]) => name)
  const ofFolder = names.flatMap((name, at) => {
    const isFile = name.includes('.')
    const files = layer.files.flatMap((pattern) => {
      const rest = /^server\/(\*\*|\*|[a-z]+)\/(.*)$/.exec(pattern === 'server/**' ? 'server/**/**' : pattern)
      if (!rest) return []
      const [, folder, inside] = rest
      if (folder === '**')
        return isFile ? (inside === '**' ? [`server/${name}`] : []) : [`server/${name}/**/${inside}`]
      return !isFile && (folder === '*' || folder === name) ? [`server/${name}/${inside}`] : []
    })
    return files.length === 0 ? [] : [restrict({ ...layer, files }, names.slice(at + 1))]
  })
  return [restrict(layer), ...ofFolder]
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'promise', 'node', 'vitest'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
  },
  ignorePatterns: ['dist', 'data', 'scripts/dev/no-compiler', 'client/route-tree.gen.ts'],
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
    ...layers.flatMap(restrictByFolder),
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
