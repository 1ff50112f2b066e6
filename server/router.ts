import { webhooks } from '#server/webhooks/feature.ts'
import { uploads } from '#server/uploads/feature.ts'
import { social } from '#server/social/feature.ts'
import { reviews } from '#server/reviews/feature.ts'
import { imports } from '#server/imports/feature.ts'
import { diary } from '#server/diary/feature.ts'
import { changes } from '#server/changes/feature.ts'
import { catalogue } from '#server/catalogue/feature.ts'
import { accounts } from '#server/accounts/feature.ts'
import { deletionRouter } from '#server/accounts/deletion-router.ts'
import { accountsRouter } from '#server/accounts/router.ts'
import { tokensRouter } from '#server/accounts/tokens-router.ts'
import {
  booksRouter,
  gamesRouter,
  itemsRouter,
  kindRouter,
  moviesRouter,
  tvShowsRouter,
} from '#server/catalogue/router.ts'
import { sourcesRouter } from '#server/catalogue/sources-router.ts'
import { changesRouter } from '#server/changes/router.ts'
import { diaryRouter } from '#server/diary/router.ts'
import { feedRouter, newsRouter } from '#server/feed/router.ts'
import { importsRouter } from '#server/imports/router.ts'
import { libraryRouter } from '#server/reviews/library-router.ts'
import { ratingsRouter } from '#server/reviews/ratings-router.ts'
import { reviewsRouter } from '#server/reviews/router.ts'
import { favoritesRouter, socialRouter } from '#server/social/router.ts'
import { tasteRouter } from '#server/social/taste-router.ts'
import { webhooksRouter } from '#server/webhooks/router.ts'
import { kinds } from '#shared/media.ts'
import { mergeRouters, router } from '#server/trpc/procedures.ts'
import type { Feature } from './feature.ts'

/** What each feature contributes. The first ones are removed first with an account: imports, which write, and the change log last. */
export const features: readonly Feature[] = [
  imports,
  reviews,
  social,
  diary,
  uploads,
  catalogue,
  accounts,
  webhooks,
  changes,
]

/** One line per feature; the four kinds come from one factory each. */
export const appRouter = router({
  accounts: mergeRouters(accountsRouter, deletionRouter, tokensRouter),
  movies: mergeRouters(
    kindRouter(kinds.movie),
    ratingsRouter(kinds.movie),
    feedRouter(kinds.movie),
    moviesRouter,
  ),
  tvShows: mergeRouters(
    kindRouter(kinds.tvShow),
    ratingsRouter(kinds.tvShow),
    feedRouter(kinds.tvShow),
    tvShowsRouter,
  ),
  books: mergeRouters(kindRouter(kinds.book), ratingsRouter(kinds.book), feedRouter(kinds.book), booksRouter),
  games: mergeRouters(kindRouter(kinds.game), ratingsRouter(kinds.game), feedRouter(kinds.game), gamesRouter),
  items: itemsRouter,
  sources: sourcesRouter,
  reviews: mergeRouters(reviewsRouter, libraryRouter),
  diary: diaryRouter,
  imports: importsRouter,
  changes: changesRouter(features),
  webhooks: webhooksRouter,
  feed: newsRouter,
  social: mergeRouters(socialRouter, tasteRouter),
  favoriteMovies: favoritesRouter(kinds.movie),
  favoriteTvShows: favoritesRouter(kinds.tvShow),
  favoriteBooks: favoritesRouter(kinds.book),
  favoriteGames: favoritesRouter(kinds.game),
})

export type AppRouter = typeof appRouter
