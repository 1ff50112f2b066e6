import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { type BuildOptions, defineConfig, type Plugin, type Rolldown } from 'vite'

type ChunkingContext = {
  getModuleInfo: (
    id: string,
  ) => Pick<Rolldown.ModuleInfo, 'isEntry' | 'importers' | 'dynamicImporters'> | null
}
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The pages with a budget (scripts/bundle.ts). The pages of the other kinds consist of the same modules as that of a movie. */
const budgeted = { home: 'index', title: 'movies.$movieId', search: 'search' }
/** Modules of the title page that more pages than this need are in the chunk `kit`. */
const titleSharersMax = 6

/**
 * Returns the chunk of a module that several pages start with, so that a page takes few requests: `app` for modules of Home, `found`
 * for those that the title page and Search share, `kit` for those that the title page shares with many others, `title` for its other
 * modules. Null for all other modules: those needed by the same pages form a chunk.
 */
function chunkOf(id: string, context: ChunkingContext): string | null {
  const own = context.getModuleInfo(id)
  if (!own || own.isEntry || own.dynamicImporters.length > 0 || own.importers.some(isHtml)) return null
  const starts = [...startsOf(id, context)]
  const routes = new Set(
    starts.flatMap((start) => /\/routes\/([\w.$-]+)\.tsx\?tsr-split=component/.exec(start)?.[1] ?? []),
  )
  if (starts.some(isHtml) || routes.has(budgeted.home)) return 'app'
  // An icon that Search shares with other pages would be a file of its own.
  if (routes.has(budgeted.search) && id.includes('/lucide-react/')) return 'found'
  if (!routes.has(budgeted.title)) return null
  if (routes.has(budgeted.search)) return 'found'
  return routes.size > titleSharersMax ? 'kit' : 'title'
}
const isHtml = (id: string) => id.endsWith('.html')

/** Returns the modules that import this one statically, directly or not, and are the entry or dynamically imported. */
function startsOf(id: string, context: ChunkingContext): Set<string> {
  const starts = new Set<string>()
  const importers = new Set([id])
  for (const importer of importers) {
    const info = context.getModuleInfo(importer)
    if (!info) continue
    if (info.isEntry || info.dynamicImporters.length > 0) starts.add(importer)
    for (const one of info.importers) importers.add(one)
  }
  return starts
}

/**
 * Imports each icon from its own module. Through the index of lucide-react, every icon would have the entry among its importers, and
 * the first chunk would contain all of them.
 */
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

/** Preloads the two fonts that every page uses. */
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
            injectTo: 'head' as const,
          })),
    },
  }
}

/** Lazy-loaded parts of pages that members see immediately, by file name. Their imports are preloaded with them. */
const preloadedParts = ['lazy-parts', '-member-home', 'title-marks-box']
const isPreloadedPart = new RegExp(`/(${preloadedParts.join('|')})-[^/]*$`)

const browserBuild: BuildOptions = {
  outDir: here('../dist/client'),
  emptyOutDir: true,
  manifest: true,
  // The licence texts of the bundled packages, which have to be distributed with them. Not served.
  license: true,
  // The first versions with light-dark(); older targets make the minifier rewrite every token.
  target: ['chrome125', 'edge125', 'firefox128', 'safari17.5'],
  // No data: URIs, so that the content security policy needs none for scripts, styles and fonts.
  assetsInlineLimit: 0,
  modulePreload: {
    // All browsers of `target` support it.
    polyfill: false,
    // The first scripts contain lists of the chunks to preload with a lazy-loaded one: only for pages, which the entry imports, and
    // for the parts that members see on them. Other parts are loaded when the page is idle or the pointer is over their button.
    resolveDependencies: (file, chunks, { hostType, hostId }) => {
      if (hostType === 'html') return chunks
      if (!/\/index-[^/]*$/.test(hostId) && !isPreloadedPart.test(file)) return []
      return chunks.filter((chunk) => !/\/(react|data|app|index|rolldown-runtime)-[^/]*$/.test(chunk))
    },
  },
  rolldownOptions: {
    plugins: [
      {
        name: 'preloaded-parts',
        generateBundle(_options, bundle) {
          for (const part of preloadedParts)
            if (!Object.keys(bundle).some((file) => file.startsWith(`assets/${part}-`)))
              this.error(`preloadedParts in client/vite.config.ts: there is no module ${part}.`)
        },
      },
    ],
    // Inlines constants of other modules (texts, limits), instead of a chunk for every page.
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    // tRPC does not declare that its modules have no side effects (web sockets, streams, the logger).
    treeshake: { moduleSideEffects: [{ test: /node_modules\/@trpc\//, sideEffects: false }] },
    output: {
      // Short names, because the entry lists all chunks except those named here. The manifest maps them to sources.
      chunkFileNames: ({ name }) =>
        /^(react|data|app|rolldown-runtime)$/.test(name) || preloadedParts.includes(name)
          ? 'assets/[name]-[hash:7].js'
          : 'assets/[hash:7].js',
      // Dependencies change with the lockfile only: chunks of their own stay in the browser cache.
      codeSplitting: {
        groups: [
          { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
          {
            name: 'data',
            test: /node_modules\/@(tanstack|trpc)\/(?!.*(useQueries|queriesObserver))/,
            priority: 1,
          },
          { name: chunkOf, debugName: 'pages' },
        ],
      },
    },
  },
}

const serverBuild: BuildOptions = {
  outDir: here('../dist/server'),
  emptyOutDir: true,
  copyPublicDir: false,
}

/** Two builds: the app for browsers, and `server.tsx` with its dependencies for server-side rendering. */
export default defineConfig(({ isSsrBuild }) => ({
  root: here('.'),
  // TanStack Store ships a shim of an API that React 18 and later have.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  plugins: [
    iconImports(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      codeSplittingOptions: {
        defaultBehavior: [['component', 'errorComponent', 'notFoundComponent'], ['pendingComponent']],
        // The modules of these screens contain their skeletons.
        splitBehavior: ({ routeId }) =>
          /^\/_member\/(imports\/|user\/\$userId_\/(followers|following|reviews)$)/.test(routeId)
            ? [['component', 'pendingComponent', 'errorComponent', 'notFoundComponent']]
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
    preloadFonts(),
  ],
  ...(isSsrBuild && { define: { 'process.env.NODE_ENV': '"production"' }, ssr: { noExternal: true } }),
  build: isSsrBuild ? serverBuild : browserBuild,
}))
