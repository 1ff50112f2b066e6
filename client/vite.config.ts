import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { type BuildOptions, defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What the bars around every page and Home are made of. As one chunk: small ones compress worse, each is a request. */
const everywhere = new RegExp(
  [
    '/client/(trpc|session|kinds)\\.ts',
    '/client/routes/-(medium|profile)-data\\.ts',
    '/client/(reviews|social)/(queries|title|person)\\.ts',
    '/client/ui/(avatar|button|empty-state|kind|picture|poster-card|poster-grid|section|skeleton|stars|tabs|visually-hidden)\\.tsx',
    '/shared/(images|media)\\.ts',
    '/lucide-react/dist/esm/\\w+\\.mjs',
    '/lucide-react/dist/esm/icons/(star|sparkles)\\.mjs',
    '/clsx/',
  ].join('|'),
)

/** The two latin fonts are on every page: ask for them before the stylesheet does. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /-latin-wght-normal-[^/]*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  }
}

const browserBuild: BuildOptions = {
  outDir: here('../dist/client'),
  emptyOutDir: true,
  manifest: true,
  // The licences of what is built in: their texts have to go along. Not served.
  license: true,
  // The first versions with light-dark(); older targets make the minifier rewrite every token.
  target: ['chrome125', 'edge125', 'firefox128', 'safari17.5'],
  // No data: URIs, so that the content security policy needs none for scripts, styles and fonts.
  assetsInlineLimit: 0,
  modulePreload: {
    // What every page has already needs no place in the lists of what a late chunk needs.
    resolveDependencies: (_file, chunks, { hostType }) =>
      hostType === 'html'
        ? chunks
        : chunks.filter((chunk) => !/\/(react|data|app|index|rolldown-runtime)-[^/]*$/.test(chunk)),
  },
  rolldownOptions: {
    // Constants of other modules (the texts, the limits) stand where they are used, not in a chunk for every page.
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    // tRPC does not say of itself that what nobody imports may go (sockets, streams, the logger).
    treeshake: { moduleSideEffects: [{ test: /node_modules\/@trpc\//, sideEffects: false }] },
    output: {
      // The entry lists the others by their names: without words those weigh less. The manifest knows which is which.
      chunkFileNames: ({ name }) =>
        /^(react|data|app|rolldown-runtime)$/.test(name) ? 'assets/[name]-[hash].js' : 'assets/[hash].js',
      // What changes with the lockfile only keeps its hash, and so its place in the reader's cache.
      codeSplitting: {
        groups: [
          { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
          { name: 'app', test: everywhere },
          { name: 'data', test: /node_modules\/@(tanstack|trpc)\//, priority: 1 },
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

/** Two builds: the web app for browsers, and `server.tsx` with all that it needs, by which the server renders pages. */
export default defineConfig(({ isSsrBuild }) => ({
  root: here('.'),
  // What TanStack's store brings along for older versions of React has been part of React for long.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      codeSplittingOptions: {
        defaultBehavior: [['component', 'errorComponent', 'notFoundComponent'], ['pendingComponent']],
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
