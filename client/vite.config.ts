import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { type BuildOptions, defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Modules that one chunk holds: small chunks compress worse, and each is a request. `app` has those of the app shell and Home,
 * `kit` small ones that most other pages use, and `title` those that the page of a title starts with. What only members, a press
 * or an open dialog need is lazy-loaded and in none of them.
 */
const chunks = {
  app: [
    'react-dom.ts',
    'trpc.ts',
    'session.ts',
    'kinds.ts',
    'params.ts',
    'routes/-title-data.ts',
    'routes/-profile-data.ts',
    'routes/-shell/problems.tsx',
    'reviews/listing.ts',
    'reviews/queries.ts',
    'load-error.tsx',
    'reviews/title.ts',
    'social/display-name.ts',
    'social/queries.ts',
    'title-marks.tsx',
    'title-menu.ts',
    'ui/avatar.tsx',
    'ui/button.tsx',
    'ui/empty-state.tsx',
    'ui/hydration.ts',
    'ui/kind.tsx',
    'ui/lazy.ts',
    'ui/picture.tsx',
    'ui/poster-card.tsx',
    'ui/poster-grid.tsx',
    'ui/section.tsx',
    'ui/skeleton.tsx',
    'ui/stars.tsx',
    'ui/tabs.tsx',
    'ui/typed-value.ts',
    'ui/visually-hidden.tsx',
    '../shared/images.ts',
    '../shared/media.ts',
  ],
  kit: [
    'catalogue/title/plain-text.ts',
    'log-in.tsx',
    'my-titles.ts',
    'query-keys.ts',
    'social/hooks.ts',
    'social/favorite-card.ts',
    'ui/callout.tsx',
    'ui/dates.ts',
    'ui/field-look.ts',
    'ui/pager.tsx',
    'ui/pill.tsx',
    'ui/segmented.tsx',
    'ui/time.tsx',
    'ui/toggle-button.tsx',
  ],
  title: [
    'catalogue/title/length-pill.ts',
    'catalogue/title/overview.tsx',
    'catalogue/title/title-facts.tsx',
    'catalogue/title/title-hero.tsx',
    'catalogue/title/title-not-found.tsx',
    'catalogue/title/title-view.ts',
    'diary/diary-button.tsx',
    'feed/similar-titles.tsx',
    'reviews/audience-pulse.tsx',
    'reviews/averages.tsx',
    'reviews/comments-toggle.tsx',
    'reviews/delete-review.tsx',
    'reviews/deletions.ts',
    'reviews/histogram.ts',
    'reviews/hooks.ts',
    'reviews/pinned-review.tsx',
    'reviews/rate-button.tsx',
    'reviews/ratio.ts',
    'reviews/reactions.tsx',
    'reviews/review-item.tsx',
    'reviews/reviews-skeleton.tsx',
    'reviews/scopes.ts',
    'reviews/share-review.tsx',
    'reviews/spoiler-text.tsx',
    'reviews/take-section.tsx',
    'reviews/user-reviews.tsx',
    'routes/-title-page.tsx',
    'social/favorite-button.tsx',
    'ui/histogram.tsx',
    'ui/select-look.ts',
    'ui/select.tsx',
  ],
}
const missing = Object.values(chunks)
  .flat()
  .filter((file) => !existsSync(here(file)))
if (missing.length > 0) throw new Error(`vite.config.ts names files that are gone: ${missing.join(', ')}`)
const isIn = (name: keyof typeof chunks, others: RegExp) => {
  const files = chunks[name].map(here)
  return (id: string) => files.includes(id) || others.test(id)
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
    // Chunks that every page has loaded are left out of the preload lists of lazy-loaded chunks.
    resolveDependencies: (_file, chunks, { hostType }) =>
      hostType === 'html'
        ? chunks
        : chunks.filter((chunk) => !/\/(react|data|app|index|rolldown-runtime)-[^/]*$/.test(chunk)),
  },
  rolldownOptions: {
    // Inlines constants of other modules (texts, limits), instead of a chunk for every page.
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    // tRPC does not declare that its modules have no side effects (web sockets, streams, the logger).
    treeshake: { moduleSideEffects: [{ test: /node_modules\/@trpc\//, sideEffects: false }] },
    output: {
      // Short names: the entry lists all other chunks. The manifest maps them to sources.
      chunkFileNames: ({ name }) =>
        /^(react|data|app|rolldown-runtime)$/.test(name) ? 'assets/[name]-[hash].js' : 'assets/[hash].js',
      // Dependencies change with the lockfile only: chunks of their own stay in the browser cache.
      codeSplitting: {
        groups: [
          { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
          {
            name: 'app',
            test: isIn(
              'app',
              /vite\/preload-helper|\/clsx\/|\/lucide-react\/dist\/esm\/(\w+|icons\/(star|cloud-off|compass|x))\.mjs/,
            ),
          },
          {
            name: 'data',
            test: /node_modules\/@(tanstack|trpc)\/(?!.*(useQueries|queriesObserver))/,
            priority: 1,
          },
          {
            name: 'kit',
            test: isIn(
              'kit',
              /\/lucide-react\/dist\/esm\/icons\/(chevron-\w+|circle-\w+|circle-exclamation-point|info|trash)\.mjs/,
            ),
          },
          {
            name: 'title',
            test: isIn('title', /\/lucide-react\/dist\/esm\/icons\/(message|pen|thumbs)-[\w-]+\.mjs/),
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
}

/** Two builds: the app for browsers, and `server.tsx` with its dependencies for server-side rendering. */
export default defineConfig(({ isSsrBuild }) => ({
  root: here('.'),
  // TanStack Store ships a shim of an API that React 18 and later have.
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
