import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { type BuildOptions, defineConfig, type Plugin, type Rolldown } from 'vite'
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
  'title-marks-box.tsx',
  'status-button.tsx',
  'same-story-list.tsx',
  'report-flag.tsx',
  'member-menu-button.tsx',
  'privacy-settings.tsx',
  'own-invites.tsx',
]

const heavy = /node_modules\/(@base-ui|@floating-ui|zod)\//
const lightness = new Map<string, boolean>()
function isLight(
  id: string,
  context: { getModuleInfo: (id: string) => Rolldown.ModuleInfo | null },
): boolean {
  const known = lightness.get(id)
  if (known !== undefined) return known
  lightness.set(id, true)
  const imports = context.getModuleInfo(id)?.importedIds ?? []
  const found = !heavy.test(id) && imports.every((imported) => isLight(imported, context))
  lightness.set(id, found)
  return found
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
        /^(react|data|app|kit|icons|member|rolldown-runtime)$/.test(name)
          ? 'assets/[name]-[hash:7].js'
          : 'assets/[hash:7].js',
      codeSplitting: {
        includeDependenciesRecursively: false,
        // The rest is up to the bundler.
        groups: [
          // They change with the lockfile only, so their chunks stay in the browser cache.
          {
            name: 'react',
            test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//,
            priority: 5,
          },
          { name: 'data', test: /node_modules\/@(tanstack|trpc)\//, priority: 4 },
          // Without the entry, so that creating the router is evaluated in a task of its own.
          { name: 'app', tags: ['$initial'], test: /\/(?!main\.tsx|index\.html)[^/]+$/, priority: 3 },
          // Small modules of many pages would be a file each.
          { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 5, priority: 2 },
          {
            name: (id, context) => (isLight(id, context) ? 'kit' : null),
            debugName: 'kit',
            minShareCount: 10,
            priority: 1,
          },
          // What the shell has on every page of a member.
          {
            name: 'member',
            test: /\/(member-bar|title-marks-box)\.tsx$/,
            includeDependenciesRecursively: true,
          },
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
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      codeSplittingOptions: {
        defaultBehavior: [['component', 'errorComponent', 'notFoundComponent'], ['pendingComponent']],
        // Their loaders need modules that the first pages do not.
        splitBehavior: ({ routeId }) =>
          /^\/(_member\/|list)/.test(routeId)
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
