import { webhooks } from '#server/webhooks/feature.ts'
import { uploads } from '#server/uploads/feature.ts'
import { social } from '#server/social/feature.ts'
import { privacy } from '#server/privacy/feature.ts'
import { reviews } from '#server/reviews/feature.ts'
import { lists } from '#server/lists/feature.ts'
import { notifications } from '#server/notifications/feature.ts'
import { moderation } from '#server/moderation/feature.ts'
import { imports } from '#server/imports/feature.ts'
import { offers } from '#server/offers/feature.ts'
import { progress } from '#server/progress/feature.ts'
import { diary } from '#server/diary/feature.ts'
import { changes } from '#server/changes/feature.ts'
import { titles } from '#server/titles/feature.ts'
import { accounts } from '#server/accounts/feature.ts'
import { membersRouter } from '#server/admin/members-router.ts'
import { adminRouter } from '#server/admin/router.ts'
import { deletionRouter } from '#server/accounts/deletion-router.ts'
import { languageRouter } from '#server/accounts/language-router.ts'
import { accountsRouter } from '#server/accounts/router.ts'
import { providersRouter } from '#server/accounts/providers-router.ts'
import { signInRouter } from '#server/accounts/sign-in-router.ts'
import { tokensRouter } from '#server/accounts/tokens-router.ts'
import {
  booksRouter,
  gamesRouter,
  itemsRouter,
  kindRouter,
  moviesRouter,
  tvShowsRouter,
} from '#server/titles/router.ts'
import { sourcesRouter } from '#server/titles/sources-router.ts'
import { changesRouter } from '#server/changes/router.ts'
import { diaryRouter } from '#server/diary/router.ts'
import { forYouRouter, feedRouter } from '#server/feed/router.ts'
import { importsRouter } from '#server/imports/router.ts'
import { listItemsRouter } from '#server/lists/items-router.ts'
import { listMembersRouter } from '#server/lists/members-router.ts'
import { listsRouter } from '#server/lists/router.ts'
import { casesRouter } from '#server/moderation/cases-router.ts'
import { reportsRouter } from '#server/moderation/reports-router.ts'
import { titlesRouter } from '#server/moderation/titles-router.ts'
import { offersRouter } from '#server/offers/router.ts'
import { marksRouter } from '#server/progress/marks-router.ts'
import { progressRouter } from '#server/progress/router.ts'
import { calendarRouter } from '#server/progress/calendar-router.ts'
import { calendarLinkRouter } from '#server/progress/calendar-link-router.ts'
import { stepsRouter } from '#server/diary/steps-router.ts'
import { playsRouter } from '#server/diary/plays-router.ts'
import { upNextRouter } from '#server/progress/up-next-router.ts'
import { privacyRouter } from '#server/privacy/router.ts'
import { notificationsRouter } from '#server/notifications/router.ts'
import { libraryRouter } from '#server/reviews/library-router.ts'
import { ratingsRouter } from '#server/reviews/ratings-router.ts'
import { reviewsRouter } from '#server/reviews/router.ts'
import { invitesRouter } from '#server/site/invites-router.ts'
import { siteRouter } from '#server/site/router.ts'
import { setupRouter } from '#server/site/setup-router.ts'
import { favoritesRouter, socialRouter } from '#server/social/router.ts'
import { tasteRouter } from '#server/social/taste-router.ts'
import { webhooksRouter } from '#server/webhooks/router.ts'
import { allKinds, type KindDefinition, kindMetadata } from '#shared/domain/kinds.ts'
import { mergeRouters, router } from '#server/calls/procedures.ts'
import type { Feature } from './feature.ts'

/**
 * The deletion of an account removes rows in this order: first imports, which write, last the change log. Rows of a title move in the same
 * order: the diary reads the reviews of both titles first.
 */
export const features: readonly Feature[] = [
  imports,
  diary,
  progress,
  reviews,
  social,
  privacy,
  notifications,
  lists,
  uploads,
  titles,
  offers,
  accounts,
  webhooks,
  moderation,
  changes,
]

const titleRouter = (definition: KindDefinition) =>
  mergeRouters(kindRouter(definition), ratingsRouter(definition), forYouRouter(definition))

const titleRouters = Object.fromEntries(
  allKinds.map((definition) => [definition.router, titleRouter(definition)]),
) as Record<KindDefinition['router'], ReturnType<typeof titleRouter>>

const favoriteRouters = Object.fromEntries(
  allKinds.map((definition) => [definition.favorites.router, favoritesRouter(definition)]),
) as Record<KindDefinition['favorites']['router'], ReturnType<typeof favoritesRouter>>

export const appRouter = router({
  accounts: mergeRouters(
    accountsRouter,
    deletionRouter,
    languageRouter,
    signInRouter,
    providersRouter,
    tokensRouter,
  ),
  ...titleRouters,
  movies: mergeRouters(titleRouters.movies, moviesRouter),
  tvShows: mergeRouters(titleRouters.tvShows, tvShowsRouter),
  books: mergeRouters(titleRouters.books, booksRouter),
  games: mergeRouters(titleRouters.games, gamesRouter),
  items: itemsRouter,
  sources: sourcesRouter,
  reviews: mergeRouters(reviewsRouter, libraryRouter),
  progress: mergeRouters(
    progressRouter,
    marksRouter,
    upNextRouter,
    calendarRouter,
    calendarLinkRouter,
    playsRouter,
  ),
  offers: offersRouter,
  diary: mergeRouters(diaryRouter, stepsRouter),
  lists: mergeRouters(listsRouter, listItemsRouter, listMembersRouter),
  notifications: notificationsRouter,
  imports: importsRouter,
  changes: changesRouter(features),
  webhooks: webhooksRouter,
  feed: feedRouter,
  social: mergeRouters(socialRouter, tasteRouter),
  privacy: privacyRouter,
  ...favoriteRouters,
  site: mergeRouters(siteRouter, setupRouter),
  invites: invitesRouter,
  admin: mergeRouters(adminRouter, membersRouter),
  moderation: mergeRouters(reportsRouter, casesRouter, titlesRouter),
})

export type AppRouter = typeof appRouter

export const sections = {
  Accounts: 'Registration, email verification, sessions, access tokens, profile and password.',
  ...Object.fromEntries(allKinds.map(({ kind, words }) => [words.many, kindMetadata[kind].section])),
  Items:
    'The whole catalogue regardless of kind. An item has the same id as its movie, TV show, book or game.',
  Reviews:
    'Ratings with or without a text, reactions and comments. A member has at most one review of a title. A rating without a text is a review with a blank text: it counts as a rating, but only lists of a single member’s ratings contain it.',
  Diary:
    'What a member wants to watch, read or play, has started, finished or dropped, with dates. A diary is private unless its owner shares it with followers or with everyone.',
  Progress:
    'Seasons and episodes of TV shows, and how far the caller is. Each play is an episode that a member watched; everything else is derived from plays.',
  'Where to watch':
    'The streaming services that have a movie or a TV show, by country. The documented path calls them providers.',
  Lists:
    'Ordered lists of titles of all kinds, with notes and ranks. The owner decides who may read a list, and invites editors.',
  Notifications:
    'What happened to a member: follows, comments, likes, invitations and decisions, grouped by day. What they want to be notified of, in the app and by email.',
  Imports:
    'Imports of a member’s history from other services. The server first rehearses an import: it looks the titles up and compares them with the member’s data. Matching, applying and undoing run in the background.',
  Changes: 'The caller’s own changes, for clients that keep a copy of the data.',
  Webhooks: 'URLs of the caller that receive signed requests after changes.',
  Social: 'Follows. The people a member follows are their network.',
  Privacy:
    'Private accounts, requests to follow them, blocks and mutes. docs/privacy.md has a table of who sees what.',
  Favorites: 'The favorites of members, by kind.',
  'Search and sync':
    'Searches of the local catalogue and of the external sources (TMDB, Open Library, IGDB), and the calls that add a title from there.',
  Moderation:
    'Reports of members, the cases that gather them, decisions and appeals. `moderate` is for moderators and admins.',
  Site: 'What the host of the site has set: its name, its rules, who may sign up. Invites.',
  Administration: 'For moderators and admins: the members of the site, its settings, and what was done.',
  Feeds: 'Atom feeds of reviews, oEmbed and share pictures, for feed readers and other sites.',
  Uploads: 'Pictures.',
  Operations: 'Health checks for operators.',
}

export const api = { router: appRouter, sections }
