import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { type BuildOptions, defineConfig, type Plugin, type Rolldown } from 'vite'
import { allKinds } from '../shared/domain/kinds.ts'
import { messages } from './vite.messages.ts'
import { pageScripts } from './vite.pages.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Through the index of lucide-react, every icon would have the entry among its importers, and the first chunk would contain all. */
function iconImports(): Plugin {
  const index = readFileSync(here('../node_modules/lucide-react/dist/esm/lucide-react.mjs'), 'utf8')
  const files = new Map<string, string>()
  for (const [, names, file] of index.matchAll(/export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/g))
    for (const [, name] of names!.matchAll(/default as (\w+)/g)) files.set(name!, file!)
  return {
    name: 'icon-imports',
    enforce: 'pre',
    transform: {
      filter: { code: "from 'lucide-react'" },
      handler: (code) =>
        code.replaceAll(/import \{([^}]*)\} from 'lucide-react'/g, (statement, names: string) =>
          names
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== '' && !name.startsWith('type '))
            .map((name) =>
              files.has(name) ? `import ${name} from 'lucide-react/icons/${files.get(name)}'` : statement,
            )
            .join('; '),
        ),
    },
  }
}

/** Vite's own also loads style sheets, but index.html has the only one. The event is for routes/-shell/offline.tsx. */
function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler: () =>
        "export const __vitePreload = (load) => load().catch((payload) => { dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload })); throw payload })",
    },
  }
}

/** The styles that the server puts into the head would delay links after them. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /-basic-[^/]*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head-prepend' as const,
          })),
    },
  }
}

/** Members load these at once, so the first response names them. */
const memberParts = [
  'member-bar.tsx',
  '-member-home.tsx',
  'share-your-take.tsx',
  'network-histogram.tsx',
  'title-overlay-box.tsx',
  'status-button.tsx',
  'same-story-list.tsx',
  'report-flag.tsx',
  'member-menu-button.tsx',
  'privacy-settings.tsx',
  'own-invites.tsx',
]

/** The lazy-loaded parts of a title’s page that members have. */
const takeParts = /\/(share-your-take|network-histogram|status-button)\.tsx$/
const kitLibraries = /node_modules\/@(base-ui|floating-ui)\//

type Modules = { getModuleInfo: (id: string) => Rolldown.ModuleInfo | null }
type Rule = (id: string, modules: Modules) => boolean

/** Returns whether a module, or one that it imports (`importedIds`) or that imports it (`importers`), directly or not, has such an id. */
function reaches(direction: 'importedIds' | 'importers', ids: RegExp): Rule {
  const known = new Map<string, boolean>()
  return function does(id: string, modules: Modules): boolean {
    const before = known.get(id)
    if (before !== undefined) return before
    // Ends circles.
    known.set(id, false)
    const found =
      ids.test(id) || (modules.getModuleInfo(id)?.[direction] ?? []).some((next) => does(next, modules))
    known.set(id, found)
    return found
  }
}

/** Needs a library that most pages do without. */
const isHeavy = reaches('importedIds', new RegExp(`${kitLibraries.source}|node_modules/zod/`))
/** They share all modules: a new kind adds a page, which must not move modules to other chunks. */
const titlePages = allKinds.length
const readRoutes = ['index', 'search', 'lists?', ...allKinds.map(({ path }) => path)].join('|')
/** A page that visitors read needs it, other than the forms of accounts. */
const isRead = reaches('importers', new RegExp(String.raw`/routes/(${readRoutes})\b[\w.$-]*\.tsx\?tsr-split`))
const isTake = reaches('importers', takeParts)
/** Loads such a part: pages that share its chunk would count as pages with the part. */
const loadsTake: Rule = (id, modules) =>
  modules.getModuleInfo(id)!.dynamicallyImportedIds.some((part) => takeParts.test(part))
/** Names of seasons and episodes, questions before a deletion, and next pages: many pages do without. */
const isForFewer = /\/(titles\/(part-name|episode-code)|ui\/question|app\/show-more)\.tsx?$/

function group(name: string, rule: Rule, rest: Omit<Rolldown.CodeSplittingGroup, 'name'>) {
  return {
    ...rest,
    debugName: name,
    name: (id: string, modules: Modules) => (rule(id, modules) ? name : null),
  }
}

const browserBuild: BuildOptions = {
  outDir: here('../dist/client'),
  emptyOutDir: true,
  // The licence texts of bundled packages have to be distributed with them. Not served.
  license: true,
  // The first versions with light-dark(); older targets make the minifier rewrite every token.
  target: ['chrome125', 'edge125', 'firefox128', 'safari17.5'],
  // No data: URIs, so that the content security policy needs none.
  assetsInlineLimit: 0,
  // Each chunk that imports another one would name the style sheet again.
  cssCodeSplit: false,
  modulePreload: {
    // All browsers of `target` support it.
    polyfill: false,
    // The server names the chunks of a page in its response (pages.json).
    resolveDependencies: (_file, chunks, { hostType }) => (hostType === 'html' ? chunks : []),
  },
  rolldownOptions: {
    // Every host would see these warnings at the first start.
    checks: { bundlerTimings: false },
    onLog(level, log, handle) {
      if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(log.message)
      handle(level, log)
    },
    // Constants of other modules (texts, limits), instead of a chunk for every page.
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    // Modules of tRPC and our schemas, which do not declare that they have no side effects.
    treeshake: {
      moduleSideEffects: [{ test: /node_modules\/@trpc\/|\/shared\/[\w/-]+\.ts$/, sideEffects: false }],
    },
    output: {
      // Short names, because the first scripts import all pages by name.
      chunkFileNames: ({ name }) =>
        /^(react|data|app|icons|facts|kit|read|member|write|take|base|rolldown-runtime)$/.test(name)
          ? 'assets/[name]-[hash:7].js'
          : 'assets/[hash:7].js',
      codeSplitting: {
        includeDependenciesRecursively: false,
        // Of modules that several entries need. By itself, the bundler makes a file for each set of entries that share modules.
        groups: [
          // They change with the lockfile only, so their chunks stay in the browser cache.
          {
            name: 'react',
            test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//,
            priority: 9,
          },
          { name: 'data', test: /node_modules\/@(tanstack|trpc)\//, priority: 8 },
          // Without the entry, so that creating the router is evaluated in a task of its own.
          { name: 'app', tags: ['$initial'], test: /\/(?!main\.tsx|index\.html)[^/]+$/, priority: 7 },
          { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: titlePages + 2, priority: 6 },
          // What the pages of accounts share is so little that it needs no files of its own.
          {
            name: 'accounts',
            test: /\/(app\/(providers|user)\.ts|accounts\/(hooks|passkeys|account-page|rules-field|no-passwords|field-errors|stored-sign-up|redirect)\.tsx?|icons\/external-link\.mjs)$/,
            priority: 6,
          },
          // Not in the kit, because the forms of accounts do without it.
          { name: 'facts', test: /\/app\/facts\.ts$/, priority: 6 },
          group('kit', (id, modules) => !isHeavy(id, modules) && !isForFewer.test(id), {
            minShareCount: titlePages + 9,
            priority: 5,
          }),
          group(
            'read',
            (id, modules) => isRead(id, modules) && !isHeavy(id, modules) && !loadsTake(id, modules),
            { minShareCount: titlePages + 3, maxModuleSize: 2_800, priority: 4 },
          ),
          // What the shell has on every page of a member.
          {
            name: 'member',
            test: /\/(member-bar|title-overlay-box|report-flag|member-menu-button)\.tsx$/,
            includeDependenciesRecursively: true,
            priority: 3,
          },
          // What members have on a title’s page. Other pages share half of it.
          group(
            'write',
            (id, modules) => isTake(id, modules) && !isRead(id, modules) && !isHeavy(id, modules),
            { minShareCount: 9, priority: 2 },
          ),
          group(
            'take',
            (id, modules) =>
              isTake(id, modules) && !isRead(id, modules) && !/node_modules|ui\/field\.tsx/.test(id),
            { priority: 1 },
          ),
          { name: 'base', test: kitLibraries, minShareCount: 36 },
        ],
      },
    },
  },
}

const serverBuild: BuildOptions = {
  outDir: here('../dist/server'),
  emptyOutDir: true,
  copyPublicDir: false,
  // The module is in memory while the server runs.
  minify: true,
}

export default defineConfig(({ isSsrBuild }) => ({
  root: here('.'),
  // TanStack Store ships a shim of an API that React 18 has.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  plugins: [
    iconImports(),
    messages(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      codeSplittingOptions: {
        defaultBehavior: [['component', 'errorComponent', 'notFoundComponent'], ['pendingComponent']],
        // Their loaders need modules that the first pages do not.
        splitBehavior: ({ routeId }) =>
          /^\/(_member\/|list|episodes)/.test(routeId)
            ? [['loader', 'component', 'pendingComponent', 'errorComponent', 'notFoundComponent']]
            : undefined,
      },
      routesDirectory: here('routes'),
      generatedRouteTree: here('route-tree.gen.ts'),
      addExtensions: true,
      disableLogging: true,
      tmpDir: here('../node_modules/.tanstack'),
    }),
    react(),
    tailwindcss(),
    plainImports(),
    preloadFonts(),
    pageScripts(memberParts),
  ],
  ...(isSsrBuild && { define: { 'process.env.NODE_ENV': '"production"' }, ssr: { noExternal: true } }),
  build: isSsrBuild ? serverBuild : browserBuild,
}))
