import type { inferRouterInputs } from '@trpc/server'
import { requestTimeoutMs } from '#shared/domain/limits.ts'
import { allKinds } from '#shared/domain/media.ts'
import type { AppRouter } from '#server/router.ts'
import { forYouLead, itemsLead } from './leads.ts'
import type { FileRoutesById } from '#client/route-tree.gen.ts'

type Inputs = inferRouterInputs<AppRouter>
type Call = [path: string, input?: unknown]
/**
 * What the first response of a page contains besides its scripts. A script of index.html sends the calls in one batch, with which a
 * member's page starts before the other scripts arrive, and client/app/trpc.ts takes the answers. The app shell shows the heading and the
 * text below it. A URL with a query string may show something else, and has neither. client/e2e/speed.test.ts compares this list with
 * the pages.
 */
type Start = { calls?: Call[]; heading?: string; lead?: string }

/** What the script replaces: the id of the member, the year, and the first and second number in the path. */
const me = '$me' as unknown as number
const thisYear = '$year' as unknown as number
const first = '$0' as unknown as number
const second = '$1' as unknown as number

/** The pages of an infinite query. */
const forward = { direction: 'forward' } as const

function call<Router extends keyof Inputs & string, Procedure extends keyof Inputs[Router] & string>(
  router: Router,
  procedure: Procedure,
  ...[input]: undefined extends Inputs[Router][Procedure]
    ? [Inputs[Router][Procedure]?]
    : [Inputs[Router][Procedure]]
): Call {
  const path = `${router}.${procedure}`
  return input === undefined ? [path] : [path, input]
}

const profile = call('accounts', 'profile', { id: first })

const starts: Partial<Record<keyof FileRoutesById, Start>> = {
  '/': {
    calls: [
      call('diary', 'list', { status: 'started', limit: 6 }),
      call('feed', 'following', { limit: 7, ...forward }),
      call('favoriteMovies', 'network', { limit: 6 }),
    ],
  },
  ...Object.fromEntries(
    allKinds.map(({ path, idKey, router, favorites }) => [
      `/${path}/$${idKey}`,
      {
        calls: [
          call('reviews', 'list', {
            [idKey as 'movieId']: first,
            scope: 'overall',
            sortBy: 'createdAt',
            order: 'desc',
            page: 1,
          }),
          call(router, 'networkHistogram', { id: first }),
          call(favorites.router, 'isFavorite', { id: first }),
          call('reviews', 'mine', { [idKey as 'movieId']: first }),
          call('diary', 'mine', { [idKey as 'movieId']: first }),
        ],
      },
    ]),
  ),
  '/lists': {
    calls: [call('lists', 'search', { sort: 'popular', ...forward }), call('lists', 'invitations', {})],
  },
  '/list/$listId': {
    calls: [
      call('lists', 'items', { id: first, limit: 60, ...forward }),
      call('lists', 'byId', { id: first }),
    ],
  },
  '/_member/for-you': {
    heading: 'For You',
    lead: forYouLead,
    calls: allKinds.map(({ router }) => call(router, 'forYou', {})),
  },
  '/_member/items/': {
    heading: 'Items',
    lead: itemsLead,
    calls: [call('items', 'list', { page: 1, sort: 'popularity' })],
  },
  '/_member/diary': {
    heading: 'Diary',
    calls: [
      call('diary', 'year', { id: me, year: thisYear }),
      call('diary', 'list', { limit: 50, ...forward }),
    ],
  },
  '/_member/favorites': {
    heading: 'My Favourite Movies',
    calls: [call('favoriteMovies', 'list', { id: me })],
  },
  '/_member/settings': {
    heading: 'Settings',
    calls: [call('accounts', 'me'), call('diary', 'visibility')],
  },
  '/_member/notifications': {
    heading: 'Notifications',
    calls: [call('notifications', 'list', { ...forward, cursor: undefined })],
  },
  '/_member/imports/': { heading: 'Bring your history', calls: [call('imports', 'list')] },
  '/_member/user/$userId': {
    calls: [
      profile,
      ...allKinds.map(({ favorites }) => call(favorites.router, 'list', { id: first })),
      call('diary', 'isVisible', { id: first }),
      call('reviews', 'histogramsOfUser', { id: first }),
      call('reviews', 'ofUser', { id: first, limit: 6 }),
      call('reviews', 'ofUser', { id: first, hasText: true, limit: 3 }),
      call('lists', 'ofUser', { id: first, limit: 6, ...forward }),
    ],
  },
  '/_member/user/$userId_/reviews': {
    heading: 'Ratings',
    calls: [
      profile,
      call('reviews', 'histogramsOfUser', { id: first }),
      call('reviews', 'ofUser', { id: first, sort: 'createdAt', order: 'desc', ...forward }),
    ],
  },
  '/_member/user/$userId_/diary': {
    calls: [
      profile,
      call('diary', 'isVisible', { id: first }),
      call('diary', 'year', { id: first, year: thisYear }),
    ],
  },
  '/_member/user/$userId_/year/$year': {
    calls: [
      profile,
      call('diary', 'year', { id: first, year: second }),
      call('diary', 'yearTwin', { id: first, year: second }),
    ],
  },
  '/_member/user/$userId_/followers': {
    heading: 'Followers',
    calls: [profile, call('social', 'followers', { id: first, page: 1 })],
  },
  '/_member/user/$userId_/following': {
    heading: 'Following',
    calls: [profile, call('social', 'following', { id: first, page: 1 })],
  },
}

/** Where index.html shows what the server renders for a member, as selectors: in place of the app shell, and on Home a part. */
export const slots = { page: '#root:has(#shell)', part: '#own:empty' } as const

/** Returns where index.html shows what the server renders for a member; undefined if it renders nothing. */
export function slotOf(routeId: string | undefined): (typeof slots)[keyof typeof slots] | undefined {
  if (routeId === '/') return slots.part
  return routeId?.startsWith('/_member/') ? slots.page : undefined
}

/** Returns what the first response of a route contains. `start` is JSON for the script of index.html. */
export function pageStart(routeId: string, hasQuery: boolean): Omit<Start, 'calls'> & { start: string } {
  const { calls = [], ...texts } = starts[routeId as keyof FileRoutesById] ?? {}
  const start = {
    timeoutMs: requestTimeoutMs,
    calls: hasQuery ? [] : [call('notifications', 'countUnread'), ...calls],
    slot: slotOf(routeId),
  }
  return { ...(!hasQuery && texts), start: JSON.stringify(start) }
}
