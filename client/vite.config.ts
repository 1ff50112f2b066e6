import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { type BuildOptions, defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Modules that one chunk holds: small chunks compress worse, each is a request, and the entry names them all. `app` has those of
 * the app shell and Home, `search` small ones of Search and of titles, `kit` small ones that most other pages use, `title` those
 * that the page of a title starts with, and `callout` small ones of the other pages. What only members, a press or an open dialog
 * need is lazy-loaded and in none of the first four.
 */
const chunks = {
  app: [
    'accounts/logout.ts',
    'catalogue/home/popular-meta.ts',
    'catalogue/home/popular-this-week.tsx',
    'react-dom.ts',
    'trpc.ts',
    'session.ts',
    'kinds.ts',
    'params.ts',
    'routes/-title-data.ts',
    'routes/-profile-data.ts',
    'routes/-shell/brand.tsx',
    'routes/-shell/footer.tsx',
    'routes/-shell/keys.ts',
    'routes/-shell/offline.tsx',
    'routes/-shell/page-title.ts',
    'routes/-shell/problems.tsx',
    'routes/-shell/progress.tsx',
    'routes/-shell/search-box.tsx',
    'routes/-shell/shell.tsx',
    'routes/-shell/shortcuts.tsx',
    'routes/-shell/title-menu.tsx',
    'routes/-shell/top-bar.tsx',
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
    'ui/forget-drafts.ts',
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
    'ui/theme.ts',
    'ui/theme-toggle.tsx',
    'ui/toaster.tsx',
    'ui/typed-value.ts',
    'ui/visually-hidden.tsx',
    '../shared/images.ts',
    '../shared/media.ts',
  ],
  search: [
    'catalogue/title/plain-text.ts',
    'catalogue/title/title-skeleton.tsx',
    'ui/field-look.ts',
    '../shared/texts.ts',
  ],
  kit: [
    'log-in.tsx',
    'my-titles.ts',
    'query-keys.ts',
    'social/favorite-hooks.ts',
    'ui/dates.ts',
    'ui/pager.tsx',
    'ui/pill.tsx',
    'ui/segmented.tsx',
    'ui/time.tsx',
    'ui/toggle-button.tsx',
  ],
  callout: ['ui/callout.tsx', 'ui/back-link.tsx'],
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
    'reviews/deleted.ts',
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

/** Parts of pages that members see at once: lazy-loaded modules by file name. What they import is preloaded with them. */
const preloadedParts = ['writing', '-member-home', 'title-marks-box']
const isPreloadedPart = new RegExp(`/(${preloadedParts.join('|')})-[^/]*$`)

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
    // Inlines constants of other modules (texts, limits), instead of a chunk for every page.
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    // tRPC does not declare that its modules have no side effects (web sockets, streams, the logger).
    treeshake: { moduleSideEffects: [{ test: /node_modules\/@trpc\//, sideEffects: false }] },
    output: {
      // Short names: the entry lists all chunks but those that are named here. The manifest maps them to sources.
      chunkFileNames: ({ name }) =>
        /^(react|data|app|rolldown-runtime)$/.test(name) || preloadedParts.includes(name)
          ? 'assets/[name]-[hash:7].js'
          : 'assets/[hash:7].js',
      // Dependencies change with the lockfile only: chunks of their own stay in the browser cache.
      codeSplitting: {
        groups: [
          { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
          {
            name: 'search',
            test: isIn('search', /\/lucide-react\/dist\/esm\/icons\/plus\.mjs/),
            includeDependenciesRecursively: false,
          },
          {
            name: 'app',
            test: isIn(
              'app',
              /vite\/preload-helper|\/clsx\/|\/lucide-react\/dist\/esm\/(\w+|icons\/(cloud-off|compass|contrast|menu|moon|search|star|sun|x))\.mjs/,
            ),
          },
          {
            name: 'data',
            test: /node_modules\/@(tanstack|trpc)\/(?!.*(useQueries|queriesObserver))/,
            priority: 1,
          },
          {
            name: 'kit',
            test: isIn('kit', /\/lucide-react\/dist\/esm\/icons\/chevron-\w+\.mjs/),
          },
          {
            name: 'callout',
            test: isIn(
              'callout',
              /\/lucide-react\/dist\/esm\/icons\/(arrow-left|bookmark-check|calendar-range|check|circle-[\w-]+|download|info|loader-circle|notebook-pen|trash|users)\.mjs/,
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
