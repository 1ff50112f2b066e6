import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { type BuildOptions, defineConfig, type Plugin } from 'vite'
import { plannedChunks } from './vite.chunks.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

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

/**
 * Replaces what Vite calls for each dynamic import. The original also loads style sheets, but index.html has the only one. The event is
 * for routes/-shell/offline.tsx.
 */
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

/** Preloads the two fonts that every page uses. The styles that the server puts into the head would delay links after them. */
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

/** Dependencies change with the lockfile only: chunks of their own stay in the browser cache. */
const dependencies = {
  react: /node_modules\/(react|react-dom|scheduler)\/|\/client\/app\/react-dom\.ts$/,
  data: /node_modules\/@(tanstack|trpc)\/(?!.*(useQueries|queriesObserver))/,
}
const pages = plannedChunks({
  firstParts: [
    'member-bar.tsx',
    '-member-home.tsx',
    'lazy-parts.ts',
    'title-marks-box.tsx',
    'status-button.tsx',
    'same-story-list.tsx',
    'report-flag.tsx',
    'member-menu-button.tsx',
    'privacy-settings.tsx',
    'own-invites.tsx',
    '-profile-data.ts',
    'lists/load.ts',
    'items/params.ts',
  ],
  idleParts: ['search-parts.tsx', 'toast-viewport.tsx', 'select-box.tsx', 'notice.tsx'],
  isApart: (id) => Object.values(dependencies).some((test) => test.test(id)),
})

const browserBuild: BuildOptions = {
  outDir: here('../dist/client'),
  emptyOutDir: true,
  // The licence texts of the bundled packages, which have to be distributed with them. Not served.
  license: true,
  // The first versions with light-dark(); older targets make the minifier rewrite every token.
  target: ['chrome125', 'edge125', 'firefox128', 'safari17.5'],
  // No data: URIs, so that the content security policy needs none for scripts, styles and fonts.
  assetsInlineLimit: 0,
  modulePreload: {
    // All browsers of `target` support it.
    polyfill: false,
    // The server names the chunks of a page in its response (pages.json).
    resolveDependencies: (_file, chunks, { hostType }) => (hostType === 'html' ? chunks : []),
  },
  rolldownOptions: {
    // Every host would see these warnings at the first start: slow machines get one about the time of plugins, and an import that loads
    // nothing on demand fails the build.
    checks: { bundlerTimings: false },
    onLog(level, log, handle) {
      if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(log.message)
      handle(level, log)
    },
    // Inlines constants of other modules (texts, limits), instead of a chunk for every page.
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    // Modules that do not declare that they have no side effects: modules of tRPC (web sockets, streams, the logger), and our schemas.
    treeshake: {
      moduleSideEffects: [{ test: /node_modules\/@trpc\/|\/shared\/[\w-]+\.ts$/, sideEffects: false }],
    },
    output: {
      // Short names, because the first scripts import all pages by name.
      chunkFileNames: ({ name }) =>
        /^(react|data|app|rolldown-runtime)$/.test(name) ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js',
      codeSplitting: {
        groups: [
          { name: 'react', test: dependencies.react, priority: 2 },
          { name: 'data', test: dependencies.data, priority: 1 },
          // The plan says where each module is.
          { name: pages.chunkOf, debugName: 'pages', includeDependenciesRecursively: false },
        ],
      },
    },
  },
}

const serverBuild: BuildOptions = {
  outDir: here('../dist/server'),
  emptyOutDir: true,
  copyPublicDir: false,
  // The whole module is in memory while the server runs, without comments in half of it.
  minify: true,
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
    plainImports(),
    preloadFonts(),
    pages.plugin,
  ],
  ...(isSsrBuild && { define: { 'process.env.NODE_ENV': '"production"' }, ssr: { noExternal: true } }),
  build: isSsrBuild ? serverBuild : browserBuild,
}))
