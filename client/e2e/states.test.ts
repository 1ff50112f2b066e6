import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { defaultImportOptions, type ImportDetail } from '#shared/contracts/imports.ts'
import { allKinds } from '#shared/domain/kinds.ts'
import { tabs } from '#shared/domain/tabs.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  aMember,
  aMovie,
  call,
  waitForHydration,
  stubResponse,
  logInAs,
  expectAccessible,
  horizontalOverflow,
  coveredControls,
  stubError,
  switchTheme,
  navigate,
  holdResponse,
  clearStubs,
  type Member,
  newPage,
  post,
  type Session,
  createSession,
  sizes,
  specified,
  useBrowser,
} from './site.ts'
import type { ImportState } from '#shared/domain/import-states.ts'

useBrowser()

/** Brings a screen into a state. */
type Reach = (page: Page) => Promise<unknown>
type States = Record<string, Reach>
type Screen = [name: string, reach: Reach][]

/** The menu opens only in a narrow window. All other states, including open popups, survive resizing the window. */
const reachedInEachSize = new Set(['Home, menu'])
const pagesMax = 4
/** The folder for a screenshot of each state, in both sizes and themes: `npm run contact-sheet` shows them on one page. */
const sheet = process.env['CONTACT_SHEET']
/** Only states whose name matches. */
const wanted = new RegExp(process.env['STATES'] ?? '', 'i')

/** In the starter community, 1 is the id of the host, 2 the id of the demo member, 3 the id of another member. */
let host: Session
let demo: Session
/** Has no activity and no followers. */
let newcomer: Member
/** Is private. */
let recluse: Member
let unreviewed: number
let reviewed: number
let reviewId: number
let caseId: number
beforeAll(async () => {
  host = await createSession('host@medley.example', 'medley-demo')
  demo = await createSession('demo@medley.example', 'medley-demo')
  newcomer = await aMember('states.newcomer')
  recluse = await aMember('states.recluse')
  await call('/users/me/privacy', { method: 'PATCH', token: recluse.token, body: '{"isPrivate":true}' })
  unreviewed = await aMovie(newcomer, 'A title without a word')
  reviewed = await aMovie(newcomer, 'A title with a word')
  const { body } = await post<{ review: { id: number } }>(
    '/reviews',
    { movieId: reviewed, rating: 4, text: 'The only word.' },
    demo.token,
  )
  reviewId = body.review.id
  const target = { type: 'user', id: newcomer.user.id }
  caseId = (await post<{ case: { id: number } }>('/moderation/cases', { target }, host.token)).body.case.id
})

const filled =
  (path: string): Reach =>
  async (page) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await waitForHydration(page)
    await expect.poll(() => page.getByRole('status', { name: /^(Loading|Searching)/ }).count()).toBe(0)
  }

/** The screen that a page shows while its data loads. */
const loadingScreens = new WeakMap<Page, { path: string; held: Held[] }>()
type Held = Awaited<ReturnType<typeof holdResponse>>

/** Navigates within the app, so that all data has to be fetched, while the responses of these procedures are held. */
const loading =
  (path: string, ...procedures: string[]): Reach =>
  async (page) => {
    await page.goto('/login?redirect=/create-item')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const held: Held[] = []
    for (const procedure of procedures) held.push(await holdResponse(page, procedure))
    await navigate(page, path)
    const waiting = page.getByRole('status', { name: /^(Loading|Searching)/ })
    await waiting
      .or(page.getByRole('status').filter({ hasText: messages.loading }))
      .first()
      .waitFor({ state: 'attached' })
    loadingScreens.set(page, { path, held })
  }

/** Lets the data of the loading screen of the previous state fail, or opens the screen with calls that fail. */
const failed =
  (path: string, ...procedures: string[]): Reach =>
  async (page) => {
    const before = loadingScreens.get(page)
    loadingScreens.delete(page)
    if (before?.path !== path) {
      await page.goto('/login?redirect=/create-item')
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    }
    // Also for the retry.
    for (const procedure of procedures) await stubError(page, procedure)
    if (before?.path === path) for (const { fail } of before.held) fail()
    else await navigate(page, path)
    await page.getByRole('button', { name: 'Try again' }).first().waitFor()
  }

const sources = ['sources.search', 'social.searchUsers']
const popular = allKinds.map(({ router }) => `${router}.popular`)
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

/** An import as the API returns it. */
function anImport(state: ImportState): ImportDetail {
  const isOver = ['done', 'undoing', 'undone'].includes(state)
  const at = '2026-05-12T12:00:00.000Z'
  return {
    id: 1,
    service: 'letterboxd',
    fileName: 'letterboxd-maria-2026-05-12.zip',
    state,
    total: 1_600,
    done: 640,
    counts: {
      ...(isOver ? { taken: 412 } : { new: 389, newer: 23 }),
      ambiguous: 23,
      notFound: 12,
      conflict: 4,
      same: 310,
      notKept: 6,
      unreadable: 2,
      repeated: 1,
    },
    changes: isOver ? 0 : 412,
    createdAt: at,
    appliedAt: isOver ? at : null,
    undoneAt: state === 'undone' ? at : null,
    parts: {
      ratings: 380,
      reviews: 98,
      partReviews: 5,
      entries: 640,
      episodes: 36,
      favorites: 4,
      listItems: 48,
      titles: 0,
      follows: 0,
      lists: 2,
      settings: 0,
    },
    ratings: [
      { given: '5/5', stars: 5, isHalf: false, isRounded: false, count: 120 },
      { given: '4.5/5', stars: 5, isHalf: true, isRounded: true, count: 212 },
    ],
    rounded: 212,
    halfStars: { count: 212, turnsOn: false },
    withoutRating: 26,
    longTexts: 2,
    unclearDates: 3,
    unknownEpisodes: 7,
    notKept: [{ what: 'comments', count: 318 }],
    shelves: [{ name: 'to-buy', count: 12 }],
    columns: ['Title', 'Year', 'Rating'],
    unclear: ['columns', 'scale'],
    missingKeys: ['TMDB'],
    waitingFor: state === 'waiting' ? 'tmdb' : null,
    nextAt: state === 'waiting' ? '2026-05-12T14:32:00.000Z' : null,
    options: { ...defaultImportOptions, columns: { name: 'Title' } },
  }
}

const aPage = (total: number) => ({ page: 1, pageSize: 24, total, totalPages: total })

/** A title of an import in a state that needs a decision. */
function aQuestion(state: 'ambiguous' | 'notFound' | 'conflict') {
  const written = {
    rating: 5,
    ratingGiven: '4.5/5',
    text: 'Better than I remembered.',
    hasSpoilers: false,
    writtenOn: '2026-02-02T12:00:00.000Z',
    isFavorite: true,
    entries: [
      {
        status: 'finished',
        startedOn: null,
        finishedOn: '2026-02-01',
        isAgain: true,
        ratingGiven: null,
        text: '',
      },
    ],
  }
  return {
    id: 1,
    kind: 'movie',
    name: 'Parasite',
    year: 2018,
    authors: [],
    state,
    reason: null,
    verdicts: state === 'conflict' ? { rating: 'conflict', review: 'conflict' } : {},
    notes: ['The date of the rating is in the future and is left out.'],
    lines: [{ file: '', line: 12 }],
    title: null,
    candidates:
      state === 'ambiguous'
        ? [
            {
              title: null,
              kind: 'movie',
              name: 'Parasite',
              year: 2019,
              imageUrl: null,
              creators: ['Bong Joon-ho'],
              why: 'A year apart',
            },
          ]
        : [],
    theirs: written,
    mine: state === 'conflict' ? { ...written, rating: 3, ratingGiven: null, text: 'Slow.' } : null,
    decision: null,
  }
}

const list = { name: 'Films about distance', itemCount: 40, visibility: 'private', listId: null }
const listsOfFile = [
  { ...list, state: 'new' },
  { ...list, name: 'Rainy days', itemCount: 8, state: 'same', listId: 1 },
]

/** Shows an import in a state, with one title or none. */
const ofImport =
  (
    state: ImportState,
    text: string,
    search = '',
    title: Parameters<typeof aQuestion>[0] | null = null,
  ): Reach =>
  async (page) => {
    await page.goto('/create-item')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const titles = title === null ? [] : [aQuestion(title)]
    await stubResponse(page, 'imports.byId', { import: anImport(state) })
    await stubResponse(page, 'imports.titles', { titles, pagination: aPage(titles.length) })
    await stubResponse(page, 'imports.lists', { lists: listsOfFile })
    await navigate(page, `/imports/1${search}`)
    await page.getByText(text).first().waitFor()
  }

const visitors: States = {
  Home: filled('/'),
  'Home, loading': loading('/', ...popular),
  'Home, failed': failed('/', ...popular),
  'Home, empty': async (page) => {
    await page.goto('/login')
    for (const procedure of popular) await stubResponse(page, procedure, { popular: [] })
    await navigate(page, '/')
    await page.getByText(messages.popularEmpty).waitFor()
  },
  'Home, suggestions': async (page) => {
    await filled('/')(page)
    await page.keyboard.press('/')
    await page.keyboard.type('matr')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
  },
  'Home, shortcuts': async (page) => {
    await filled('/')(page)
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
  },
  'Home, palette': async (page) => {
    await filled('/')(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('the')
    await page.getByRole('option').nth(2).waitFor()
  },
  'Home, menu': async (page) => {
    await filled('/')(page)
    const menu = page.getByRole('button', { name: 'Menu' })
    if (await menu.isVisible()) await menu.click()
  },
  Login: filled('/login'),
  'Login, refused': async (page) => {
    await filled('/login')(page)
    await press(page, 'Log in')
    await page.getByText('Please enter your email.').waitFor()
    await page.getByRole('textbox', { name: 'Email' }).fill('nobody@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('not-it')
    await press(page, 'Log in')
    await page.getByText(messages.invalidCredentials).waitFor()
  },
  'Sign up': filled('/signup'),
  'Sign up, errors': async (page) => {
    await filled('/signup')(page)
    await press(page, specified('Create account'))
    await page.getByText(messages.usernameInvalid).waitFor()
  },
  'Sign up, sending': async (page) => {
    await filled('/signup')(page)
    await holdResponse(page, 'accounts.register')
    await page.getByRole('textbox', { name: 'Username' }).fill('never.sent')
    await page.getByRole('textbox', { name: 'Email' }).fill('never@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('six-or-more')
    await press(page, specified('Create account'))
    await page.getByRole('button', { name: specified('Creating account…') }).waitFor()
  },
  'Sign up, invite that was used': async (page) => {
    await filled('/signup?invite=used')(page)
    await page.getByText(/This invite has expired or was used\./).waitFor()
  },
  'Verify, no token': filled('/verify-email'),
  'Verify, pending': async (page) => {
    await holdResponse(page, 'accounts.verifyEmail')
    await page.goto('/verify-email?token=waiting')
    await page.getByText(messages.verifying).waitFor()
  },
  'Verify, waits for approval': async (page) => {
    await stubResponse(page, 'accounts.verifyEmail', {
      message: messages.approvalPending,
      isPending: true,
    })
    await page.goto('/verify-email?token=any')
    await page.getByText(messages.approvalPending).waitFor()
  },
  'Forgotten password': filled('/forgot-password'),
  'Forgotten password, sent': async (page) => {
    await filled('/forgot-password')(page)
    await page.getByRole('textbox', { name: 'Email' }).fill('nobody@example.org')
    await press(page, 'Send the link')
    await page.getByText(messages.resetSent).waitFor()
  },
  'New password, errors': async (page) => {
    await filled('/reset-password?token=any')(page)
    await press(page, 'Set password')
    await page
      .getByRole('textbox', { name: 'New password', exact: true })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor()
  },
  'New password, invalid link': filled('/reset-password'),
  Movie: filled('/movies/1'),
  'TV show': filled('/tv-shows/70'),
  Book: filled('/books/120'),
  Game: filled('/games/180'),
  Episode: filled('/episodes/1'),
  'Episode, unknown': filled('/episodes/999999'),
  'TV show, seasons loading': loading('/tv-shows/77', 'progress.seasons'),
  'TV show, seasons failed': failed('/tv-shows/77', 'progress.seasons'),
  'Movie, loading': loading('/movies/1', 'movies.byId'),
  'Movie, failed': failed('/movies/1', 'movies.byId'),
  'Movie, unknown': filled('/movies/999999'),
  'Movie, asked to log in': async (page) => {
    await filled('/movies/1')(page)
    await page.waitForLoadState('networkidle')
    await press(page, 'Favorite')
    await page.getByText(messages.pleaseLogInFirst).waitFor()
  },
  'Search, no query': filled('/search'),
  Search: filled('/search?q=star'),
  'Search, users': filled('/search?q=lantern&tab=users'),
  'Search, loading': loading('/search?q=star', ...sources),
  'Search, failed': failed('/search?q=star', ...sources),
  'Search, no results': async (page) => {
    await page.goto('/search?q=qqqzzzxxx')
    await page.getByText(tabs.screen.empty('qqqzzzxxx')).waitFor()
  },
  'Add a title': filled('/create-item'),
  Lists: filled('/lists'),
  'Lists, loading': loading('/lists', 'lists.search'),
  'Lists, failed': failed('/lists', 'lists.search'),
  'Lists, no match': filled('/lists?tag=none'),
  List: filled('/list/1'),
  'List, unknown': filled('/list/999999'),
}

const brokenHook = {
  id: 1,
  url: `https://example.org/${'x'.repeat(100)}`,
  events: ['review', 'diary', 'favorite', 'follow', 'comment', 'reaction'],
  createdAt: '2026-05-04T12:30:00.000Z',
  failingSince: '2026-05-04T12:30:00.000Z',
  disabledAt: '2026-05-11T12:30:00.000Z',
}

/** A member in a list of blocks, mutes or requests. */
const aPerson = (id: number) => ({
  id,
  username: `${'x'.repeat(29)}${id}`,
  profilePicture: null,
  isPrivate: true,
  since: '2026-05-04T12:30:00.000Z',
})

const members: States = {
  'Home, a member’s': filled('/'),
  'For You': filled('/for-you'),
  'For You, loading': loading('/for-you', 'movies.forYou'),
  'For You, failed': failed('/for-you', 'movies.forYou'),
  'For You, filter without results': filled('/for-you?friends=5&tab=books'),
  'For You, offline': async (page) => {
    await filled('/for-you')(page)
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
  },
  'Home, menu of a title': async (page) => {
    await filled('/')(page)
    await page
      .getByRole('button', { name: /^Actions for / })
      .first()
      .press('Enter')
    await page.getByRole('dialog').waitFor()
  },
  Items: filled('/items'),
  'Items, sorted and filtered': filled('/items?sort=rating&decade=1990&genre=Drama&unrated=yes&network=yes'),
  'Items, no match': filled('/items?genre=None'),
  'Items, loading': loading('/items', 'items.list'),
  'Items, failed': failed('/items', 'items.list'),
  'Items, none': filled('/items?page=9999'),
  Item: filled('/items/1'),
  'Item, loading': loading('/items/1', 'items.byId'),
  'Item, failed': failed('/items/1', 'items.byId'),
  'Item, unknown': filled('/items/999999'),
  'Item, errors': async (page) => {
    await filled('/items/1')(page)
    await press(page, 'Submit review')
    await page.getByText(messages.ratingRequired).waitFor()
  },
  'Title, own review': async (page) => {
    await filled(`/movies/${reviewed}`)(page)
    await page.getByRole('button', { name: specified('Edit your Review') }).waitFor()
  },
  'Title, editing with an error, comments open': async (page) => {
    await filled(`/movies/${reviewed}`)(page)
    // The next state needs the review. A route would not see a request that is sent when the page is left.
    await page.evaluate(() => {
      const real = globalThis.fetch
      globalThis.fetch = (url, init) =>
        init?.method === 'DELETE' ? Promise.resolve(Response.json({})) : real(url, init)
    })
    const item = page.getByRole('article', { name: 'Review by demo' })
    await item.getByRole('button', { name: specified('Delete') }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: specified('Delete') })
      .click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
  },
  'Title, pinned review': (page) => filled(`/movies/${reviewed}?review=${reviewId}`)(page),
  'Title, spoilers': async (page) => {
    // Of somebody else: nothing is hidden from the author.
    const spoiler = { userId: 3, hasSpoilers: true, text: 'They all die. ||Even the dog.||' }
    const { body } = await call<{ reviews: object[] }>(`/reviews?movieId=${reviewed}`)
    const reviews = [1, 2].map((id) => ({ ...body.reviews[0], ...spoiler, id, hasSpoilers: id === 1 }))
    await page.goto('/create-item')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const pagination = { page: 1, pageSize: 5, total: 2, totalPages: 1 }
    await stubResponse(page, 'reviews.list', { reviews, pagination })
    await navigate(page, `/movies/${reviewed}`)
    await page.getByRole('button', { name: 'Spoiler. Show it' }).waitFor()
  },
  'Title, long words': async (page) => {
    const word = 'Supercalifragilisticexpialidocious'
    const { body } = await call<{ reviews: object[] }>(`/reviews?movieId=${reviewed}`)
    const user = { id: 2, username: word.slice(0, 30), profilePicture: null }
    const counts = { likeCount: 12_345, dislikeCount: 6_789, commentCount: 1_200 }
    const reviews = [{ ...body.reviews[0], ...counts, user, text: word.repeat(4) }]
    await page.goto('/create-item')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const pagination = { page: 5, pageSize: 5, total: 57, totalPages: 12 }
    await stubResponse(page, 'reviews.list', { reviews, pagination })
    await navigate(page, `/movies/${reviewed}?page=5`)
    await page.getByText(word.repeat(4)).waitFor()
  },
  'Title, choices about an author': async (page) => {
    await filled('/movies/1')(page)
    await press(page, /mute, block or report/)
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).waitFor()
  },
  'Title, blocking an author': async (page) => {
    await filled('/movies/1')(page)
    await press(page, /mute, block or report/)
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
    await page.getByRole('alertdialog').waitFor()
  },
  'Title, order select open': async (page) => {
    await filled(`/movies/${reviewed}`)(page)
    await page.waitForLoadState('networkidle')
    await page.getByRole('combobox', { name: 'Order' }).click()
    await page.getByRole('option').first().waitFor()
  },
  'Title, rating rejected': async (page) => {
    await stubError(page, 'reviews.save', { status: 400, message: 'Not now.' })
    await filled(`/movies/${unreviewed}`)(page)
    await page.getByRole('radio', { name: /^4 stars/ }).click()
    await page.getByText('Your rating was not saved').waitFor()
  },
  'Title, sections failed': async (page) => {
    await page.goto('/create-item')
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const procedure of ['movies.ratingHistogram', 'reviews.list', 'reviews.mine'])
      await stubError(page, procedure)
    await navigate(page, '/movies/2')
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(3)
  },
  Library: filled('/user/3/reviews'),
  'Library, own': filled('/user/2/reviews?kind=movie&sort=title'),
  'Library, selecting': async (page) => {
    await filled('/user/2/reviews?kind=movie&sort=title')(page)
    await press(page, 'Select')
    const cards = page.getByRole('article').getByRole('button', { pressed: false })
    for (const _ of [1, 2]) await cards.first().click()
    await page.getByText('2 selected').waitFor()
  },
  'Library, loading': loading('/user/3/reviews', 'reviews.ofUser', 'reviews.histogramsOfUser'),
  'Library, failed': failed('/user/3/reviews', 'reviews.ofUser', 'reviews.histogramsOfUser'),
  'Library, no match': filled('/user/3/reviews?year=1980'),
  'Library, unknown member': filled('/user/999999/reviews'),
  'Library, the next page failed': async (page) => {
    await filled('/user/2/reviews')(page)
    await page.getByRole('button', { name: 'Load more' }).waitFor()
    await stubError(page, 'reviews.ofUser')
    await page.getByRole('button', { name: 'Load more' }).click()
    await page.getByText('The next ones did not load.').waitFor()
  },
  Profile: filled('/user/2'),
  'Profile of another member': filled('/user/3'),
  'Profile, loading': loading('/user/3', 'accounts.profile'),
  'Profile, failed': failed('/user/3', 'accounts.profile'),
  'Profile, unknown': filled('/user/999999'),
  'Profile of a private member': async (page) => {
    await filled(`/user/${recluse.user.id}`)(page)
    await page.getByText('This profile is private').waitFor()
  },
  'Profile, requests to follow': async (page) => {
    await stubResponse(page, 'privacy.requests', { users: [aPerson(3)], total: 1, nextCursor: null })
    await filled('/user/2')(page)
    await page.getByRole('button', { name: /^Accept/ }).waitFor()
  },
  'Profile, as a visitor sees it': async (page) => {
    await filled('/user/2?as=visitor')(page)
    await page.getByText('Everybody who does not follow you sees this.').waitFor()
    await page.getByRole('button', { name: /^Follow / }).waitFor()
  },
  'Profile, as a follower sees it': async (page) => {
    await filled('/user/2?as=follower')(page)
    await page.getByText('Your followers see this.').waitFor()
    await page.getByRole('button', { name: /^Unfollow / }).waitFor()
  },
  'Profile, share picture': async (page) => {
    await filled('/user/2')(page)
    await press(page, 'Share')
    await page.getByRole('img', { name: 'Picture of your favorites' }).waitFor()
  },
  'Year, no share picture': async (page) => {
    await filled('/user/2/year/2026')(page)
    await press(page, 'Share')
    await page.getByText('Your diary is private').waitFor()
  },
  Followers: filled('/user/3/followers'),
  Following: filled('/user/3/following'),
  'Followers, loading': loading('/user/3/followers', 'social.followers'),
  'Followers, failed': failed('/user/3/followers', 'social.followers'),
  'Up next': filled('/up-next'),
  'Up next, loading': loading('/up-next', 'progress.upNext'),
  'Up next, failed': failed('/up-next', 'progress.upNext'),
  // The second season of Severance.
  Calendar: filled('/calendar?month=2025-02'),
  'Calendar, the other view': async (page) => {
    await filled('/calendar?month=2025-02')(page)
    const isAgenda = await page.getByRole('radio', { name: 'Agenda', checked: true }).count()
    await page.getByRole('radio', { name: isAgenda ? 'Month' : 'Agenda' }).check()
  },
  'Calendar, loading': loading('/calendar', 'progress.calendar'),
  'Calendar, failed': failed('/calendar', 'progress.calendar'),
  'Calendar, no match': filled('/calendar?kind=game&status=paused'),
  'Calendar, no link': async (page) => {
    await stubResponse(page, 'progress.calendarLink', { createdAt: null })
    await filled('/calendar')(page)
    await press(page, 'Subscribe')
    await page.getByRole('button', { name: 'Make a link' }).waitFor()
  },
  'Calendar, new link': async (page) => {
    await stubResponse(page, 'progress.calendarLink', { createdAt: '2026-05-04T12:30:00.000Z' })
    await stubResponse(page, 'progress.createCalendarLink', {
      url: `https://medley.example/calendar/${'x'.repeat(43)}.ics`,
    })
    await filled('/calendar')(page)
    await press(page, 'Subscribe')
    await press(page, 'New link')
    await page.getByRole('alertdialog').getByRole('button', { name: 'New link' }).click()
    await page.getByRole('textbox', { name: 'Address of your calendar' }).waitFor()
  },
  'Calendar, link failed': async (page) => {
    await stubError(page, 'progress.calendarLink')
    await filled('/calendar')(page)
    await press(page, 'Subscribe')
    await page.getByText('Your link did not load').waitFor()
  },
  Favourites: filled('/favorites'),
  'Favourites, loading': loading('/favorites', 'favoriteMovies.list'),
  'Favourites, failed': failed('/favorites', 'favoriteMovies.list'),
  'Lists, own': filled('/lists?tab=mine'),
  'Lists, new list': async (page) => {
    await filled('/lists?tab=mine')(page)
    await press(page, 'New list')
    await page.getByRole('dialog').waitFor()
  },
  'List, own': filled('/list/2'),
  'List, editing': async (page) => {
    await filled('/list/2')(page)
    await press(page, 'Edit titles')
    await page.getByRole('searchbox', { name: 'Add titles' }).waitFor()
  },
  'Title, adding to a list': async (page) => {
    await filled('/movies/1')(page)
    await press(page, 'Add to list…')
    await page.getByRole('dialog', { name: 'Add to list' }).waitFor()
  },
  Diary: filled('/diary'),
  'Diary, loading': loading('/diary', 'diary.list', 'diary.year'),
  'Diary, failed': failed('/diary', 'diary.list', 'diary.year'),
  'Diary, no match': filled('/diary?kind=game&status=paused'),
  'Diary, want list': filled('/diary?list=want'),
  'Diary, form': async (page) => {
    await filled('/diary')(page)
    await press(page, /^Edit the entry of/)
    await page.getByRole('dialog').waitFor()
  },
  'Diary of another member': filled('/user/3/diary'),
  'Diary of another member, private': (page) => filled(`/user/${newcomer.user.id}/diary`)(page),
  'Diary, one picked': async (page) => {
    await filled('/diary?list=want')(page)
    await press(page, 'Pick one for me')
    await page.getByRole('dialog').getByRole('link', { name: 'Open' }).waitFor()
  },
  Year: async (page) => {
    await filled(`/user/2/year/${new Date().getFullYear()}`)(page)
    await page.getByText('Show as table').first().click()
  },
  'Year, loading': loading('/user/2/year/2026', 'diary.year'),
  'Year, failed': failed('/user/2/year/2026', 'diary.year'),
  'Year, nothing': filled('/user/2/year/1999'),
  'Year, private': (page) => filled(`/user/${newcomer.user.id}/year/2026`)(page),
  'Title, diary form': async (page) => {
    await filled(`/movies/${unreviewed}`)(page)
    await press(page, /not in your diary\)$/)
    await page.getByRole('dialog').waitFor()
  },
  'Title, diary form rejected': async (page) => {
    await stubError(page, 'diary.create', { status: 409, message: messages.diaryWantExists })
    await filled(`/movies/${unreviewed}`)(page)
    await press(page, /not in your diary\)$/)
    await page.getByRole('dialog').getByRole('button', { name: 'Log', exact: true }).click()
    await page.getByText(messages.diaryWantExists).waitFor()
  },
  'Imports, refused': async (page) => {
    await filled('/imports')(page)
    await waitForHydration(page)
    await page.getByLabel('File to import').setInputFiles('client/ui/icon.svg')
    await page.getByText(messages.importUnknown).waitFor()
    await page.getByText('Letterboxd', { exact: true }).first().click()
  },
  'Imports, loading': loading('/imports', 'imports.list'),
  'Imports, failed': failed('/imports', 'imports.list'),
  'Imports, listed': async (page) => {
    await page.goto('/create-item')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const imports = (['done', 'applying', 'ready', 'undone'] as const).map((state, at) => ({
      ...anImport(state),
      id: at + 1,
    }))
    await stubResponse(page, 'imports.list', { imports })
    await navigate(page, '/imports')
    await page.getByText('412 imported · 23 to decide').waitFor()
    await press(page, /^Delete the import/)
    await page.getByRole('alertdialog').waitFor()
  },
  'Import, loading': loading('/imports/1', 'imports.byId'),
  'Import, failed': failed('/imports/1', 'imports.byId'),
  'Import, unknown': filled('/imports/999999'),
  'Import, rehearsal': ofImport('ready', 'This is a rehearsal. Nothing has been changed.'),
  'Import, looking up': ofImport('matching', 'Looking up titles'),
  'Import, waiting': ofImport('waiting', 'Go on without TMDB'),
  'Import, stopped': ofImport('stopped', 'This import is stopped.'),
  'Import, done': ofImport('done', '412 imported. Nothing here was overwritten.'),
  'Import, undoing': ofImport('undoing', 'The import is being undone.'),
  'Import, undone': ofImport('undone', 'This import was undone'),
  'Import, undo': async (page) => {
    await stubResponse(page, 'imports.previewUndo', {
      removes: { reviews: 98, entries: 640, favorites: 3, listItems: 48, titles: 0, follows: 0, lists: 2 },
      restores: 2,
      keeps: [],
      keepsCount: 2,
      later: 0,
      comments: 3,
    })
    await ofImport('done', '412 imported.')(page)
    await press(page, 'Undo the whole import')
    await page.getByText('This removes 98 ratings and reviews').waitFor()
  },
  'Import, questions': ofImport('ready', 'A year apart', '?tab=decide', 'ambiguous'),
  'Import, searching for a title': async (page) => {
    await ofImport('ready', 'No title of this name', '?tab=decide&state=notFound', 'notFound')(page)
    await page.getByRole('article').getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox', { name: 'Search the catalogue' }).fill('the')
    await page.getByRole('list', { name: 'Results' }).getByRole('button').first().waitFor()
  },
  'Import, conflicts': ofImport('ready', 'Here: 3 ★', '?tab=decide&state=conflict', 'conflict'),
  'Import, no questions': ofImport('ready', 'Nothing left to decide here.', '?tab=decide', null),
  'Import, titles': ofImport('ready', 'Line 12', '?tab=titles', 'ambiguous'),
  'Import, no titles': ofImport('ready', 'Nothing matches these filters.', '?tab=titles', null),
  'Import, unreadable lines': async (page) => {
    const line = { id: 1, file: 'ratings.csv', line: 12, state: 'unreadable', name: '', titleId: null }
    const lines = [{ ...line, note: 'A quote is never closed.' }]
    await stubResponse(page, 'imports.lines', { lines, pagination: aPage(1) })
    await ofImport('ready', 'A quote is never closed.', '?tab=titles&lines=unreadable')(page)
  },
  Settings: filled('/settings'),
  'Settings, diary failed': failed('/settings', 'diary.visibility'),
  'Settings, confirming a new email': async (page) => {
    await filled('/settings')(page)
    await page.waitForLoadState('networkidle')
    await page.getByRole('textbox', { name: 'Email' }).fill('another@example.org')
    await press(page, specified('Save changes'))
    await press(page, 'Change email')
    await page.getByText(messages.currentPasswordMissing).waitFor()
  },
  'Settings, account with errors': async (page) => {
    await filled('/settings?tab=account')(page)
    await press(page, 'Update password')
    await page.getByText(messages.passwordFieldsMissing).waitFor()
  },
  'Settings, privacy': async (page) => {
    await stubResponse(page, 'privacy.blocks', { users: [aPerson(3)], total: 30, nextCursor: 'x' })
    await stubResponse(page, 'privacy.mutes', { users: [aPerson(4)], total: 1, nextCursor: null })
    await filled('/settings?tab=account')(page)
    await page.getByRole('button', { name: /^Unmute/ }).waitFor()
  },
  'Settings, privacy failed': failed('/settings?tab=account', 'privacy.get'),
  'Settings, sessions loading': loading('/settings?tab=account', 'accounts.listSessions'),
  'Settings, sessions failed': failed('/settings?tab=account', 'accounts.listSessions'),
  'Settings, access tokens': async (page) => {
    await page.goto('/login?redirect=/create-item')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const token = { scopes: ['read', 'reviews:write', 'diary:write', 'social:write', 'imports', 'account'] }
    const times = { createdAt: '2026-05-04T12:30:00.000Z', lastUsedAt: '2026-05-05T12:30:00.000Z' }
    await stubResponse(page, 'accounts.listAccessTokens', {
      tokens: [
        { id: 2, name: 'x'.repeat(100), ...token, ...times, expiresAt: null },
        { id: 1, name: 'Old', ...token, ...times, lastUsedAt: null, expiresAt: '2026-05-05T12:30:00.000Z' },
      ],
    })
    await navigate(page, '/settings?tab=account&developers=yes')
    await page.getByText('Never used').waitFor()
  },
  'Settings, revoking a token': async (page) => {
    await page.goto('/login?redirect=/create-item')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const times = { createdAt: '2026-05-04T12:30:00.000Z', lastUsedAt: null, expiresAt: null }
    await stubResponse(page, 'accounts.listAccessTokens', {
      tokens: [{ id: 2, name: 'x'.repeat(100), scopes: ['read'], ...times }],
    })
    await navigate(page, '/settings?tab=account&developers=yes')
    await press(page, /^Revoke/)
    await page.getByRole('alertdialog').waitFor()
  },
  'Settings, new token with errors': async (page) => {
    await filled('/settings?tab=account&developers=yes')(page)
    await press(page, 'New token')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: /read$/ }).uncheck()
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByText(messages.nameRequired).waitFor()
    await dialog.getByText(messages.scopeRequired).waitFor()
  },
  'Settings, secret of a new token': async (page) => {
    await filled('/settings?tab=account&developers=yes')(page)
    const times = { createdAt: '2026-05-04T12:30:00.000Z', lastUsedAt: null, expiresAt: null }
    await stubResponse(page, 'accounts.createAccessToken', {
      token: { id: 2, name: 'Backup', scopes: ['read'], ...times },
      secret: `mdl_${'x'.repeat(43)}`,
    })
    await press(page, 'New token')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Backup')
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('textbox', { name: 'Access token' }).waitFor()
  },
  'Settings, tokens loading': loading('/settings?tab=account&developers=yes', 'accounts.listAccessTokens'),
  'Settings, tokens failed': failed('/settings?tab=account&developers=yes', 'accounts.listAccessTokens'),
  'Settings, account about to be deleted': async (page) => {
    await stubResponse(page, 'accounts.me', {
      user: { ...newcomer.user, deletionAt: '2026-12-24T12:00:00.000Z' },
    })
    await filled('/settings?tab=account')(page)
    await page.getByText(/^Your account will be deleted on/).waitFor()
  },
  'Settings, deleting the account': async (page) => {
    await filled('/settings?tab=account')(page)
    await press(page, 'Delete my account')
    await page.getByText('What stays').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click()
    await page.getByText(messages.currentPasswordMissing).waitFor()
  },
  'Settings, deleting the account failed': async (page) => {
    await stubError(page, 'accounts.deletion')
    await filled('/settings?tab=account')(page)
    await press(page, 'Delete my account')
    await page.getByText('The summary did not load').waitFor()
  },
  'Keep the account': filled('/keep-account?token=x'),
  'Keep the account, dead link': filled('/keep-account'),
  'Settings, webhooks': async (page) => {
    await page.goto('/login?redirect=/create-item')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await stubResponse(page, 'webhooks.list', { webhooks: [brokenHook] })
    await navigate(page, '/settings?tab=account&developers=yes')
    await page.getByText(/^Disabled \d/).waitFor()
  },
  'Settings, removing a webhook': async (page) => {
    await page.goto('/login?redirect=/create-item')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await stubResponse(page, 'webhooks.list', { webhooks: [brokenHook] })
    await navigate(page, '/settings?tab=account&developers=yes')
    await press(page, /^Remove https/)
    await page.getByRole('alertdialog').waitFor()
  },
  'Settings, deliveries of a webhook': async (page) => {
    await page.goto('/login?redirect=/create-item')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await stubResponse(page, 'webhooks.list', { webhooks: [{ ...brokenHook, disabledAt: null }] })
    const at = '2026-05-04T12:30:00.000Z'
    const sent = { type: 'review.created', createdAt: at, attempts: 1, attemptedAt: at, nextAttemptAt: null }
    const failure = { deliveredAt: null, status: 500, error: 'The server responded 500.' }
    await stubResponse(page, 'webhooks.deliveries', {
      deliveries: [
        { ...sent, id: 'msg_3', attempts: 0, deliveredAt: null, status: null, error: null },
        { ...sent, ...failure, id: 'msg_2', attempts: 3, nextAttemptAt: '2036-05-04T12:30:00.000Z' },
        { ...sent, id: 'msg_1', deliveredAt: at, status: 204, error: null },
      ],
    })
    await navigate(page, '/settings?tab=account&developers=yes')
    await press(page, /^Deliveries/)
    await page.getByText('Delivered (204)').waitFor()
  },
  'Settings, new webhook with errors': async (page) => {
    await filled('/settings?tab=account&developers=yes')(page)
    await press(page, 'New webhook')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: /review$/ }).uncheck()
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await dialog.getByText(messages.webhookUrlInvalid).waitFor()
    await dialog.getByText(messages.webhookEventRequired).waitFor()
  },
  'Settings, secret of a new webhook': async (page) => {
    await filled('/settings?tab=account&developers=yes')(page)
    await stubResponse(page, 'webhooks.create', {
      webhook: { ...brokenHook, failingSince: null, disabledAt: null },
      secret: `whsec_${'x'.repeat(44)}`,
    })
    await press(page, 'New webhook')
    await page.getByRole('dialog').getByRole('textbox', { name: 'URL' }).fill('https://example.org')
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('textbox', { name: 'Signing secret' }).waitFor()
  },
  'Settings, webhooks loading': loading('/settings?tab=account&developers=yes', 'webhooks.list'),
  'Settings, webhooks failed': failed('/settings?tab=account&developers=yes', 'webhooks.list'),
  'Settings, notifications': filled('/settings?tab=notifications'),
  'Settings, notifications failed': failed('/settings?tab=notifications', 'notifications.settings'),
  Notifications: filled('/notifications'),
  'Notifications, loading': loading('/notifications', 'notifications.list'),
  'Notifications, failed': failed('/notifications', 'notifications.list'),
  'Notifications, ending the email': filled('/unsubscribe?token=unknown'),
  'Notifications, link expired': async (page) => {
    await filled('/unsubscribe?token=unknown')(page)
    await press(page, 'End the emails')
    await page.getByText(messages.unsubscribeExpired).waitFor()
  },
  'Create a movie': filled('/create-item/movies'),
  'Create a movie, errors': async (page) => {
    await filled('/create-item/movies')(page)
    await press(page, 'Create movie')
    await page.getByText(messages.nameRequired).waitFor()
  },
  'Create a game, nothing sent': async (page) => {
    await filled('/create-item/games')(page)
    await press(page, 'Create game')
    await page.getByText('Nothing was sent.').waitFor()
  },
}

const newcomers: States = {
  'Up next, empty': filled('/up-next'),
  'Calendar, empty': filled('/calendar'),
  'Calendar, an empty month': filled('/calendar?month=2031-02&view=month'),
  'Imports, none': filled('/imports'),
  'Notifications, none': filled('/notifications'),
  'Home, friends without favourites': async (page) => {
    await page.goto('/')
    await page.getByText(messages.networkFavoritesEmpty).waitFor()
  },
  'For You, empty': async (page) => {
    await page.goto('/for-you')
    await page.getByText(messages.feedEmpty).waitFor()
  },
  'Favourites, none': filled('/favorites'),
  'Diary, none': filled('/diary'),
  'Diary, want list empty': filled('/diary?list=want'),
  'Library, empty': async (page) => filled(`/user/${newcomer.user.id}/reviews`)(page),
  'Profile, empty': async (page) => filled(`/user/${newcomer.user.id}`)(page),
  'Followers, none': async (page) => filled(`/user/${newcomer.user.id}/followers`)(page),
  'Title, no reviews': async (page) => filled(`/movies/${unreviewed}`)(page),
  'Title, no reviews by followed members': async (page) =>
    filled(`/movies/${reviewed}?scope=network&reviews=network`)(page),
}

const admins: States = {
  'Admin, overview': filled('/admin/overview'),
  'Admin, overview failed': failed('/admin/overview', 'admin.overview'),
  'Admin, reports': filled('/admin/reports'),
  'Admin, case': (page) => filled(`/admin/reports/${caseId}`)(page),
  'Admin, suspending': async (page) => {
    await filled(`/admin/reports/${caseId}`)(page)
    await page.getByRole('group', { name: 'Decision' }).waitFor()
    await page.keyboard.press('s')
    await page.getByRole('dialog').waitFor()
  },
  'Admin, reports filtered': filled('/admin/reports?category=illegal&assignee=me'),
  'Admin, members': filled('/admin/members'),
  'Admin, members failed': failed('/admin/members', 'admin.members'),
  'Admin, member': (page) => filled(`/admin/members/${newcomer.user.id}`)(page),
  'Admin, invites': filled('/admin/invites'),
  'Admin, titles': filled('/admin/titles'),
  'Admin, settings': filled('/admin/settings'),
  'Admin, settings open': async (page) => {
    await filled('/admin/settings')(page)
    for (const part of await page.getByRole('main').locator('summary').all()) await part.click()
  },
  'Admin, members filter': async (page) => {
    await filled('/admin/members')(page)
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('dialog').waitFor()
  },
  'Admin, audit': filled('/admin/audit'),
  'Admin, unknown': filled('/admin/nothing'),
}

testStates('visitor', visitors, () => null)
testStates('member', members, () => demo)
testStates('newcomer', newcomers, () => newcomer)
testStates('admin', admins, () => host)

function testStates(user: string, states: States, session: () => Session | null) {
  test(
    `no screen has an axe violation in either theme, scrolls horizontally or covers a control, in any state (${user})`,
    { timeout: 600_000 },
    async () => {
      // Several pages run in parallel, each with its own renderer process, because each waits much of the time. The states of a
      // screen run one after the other on the same page, which has the screen's code and pictures in its cache.
      const wantedStates = Object.entries(states).filter(([name]) => wanted.test(name))
      const screens = Object.values(Object.groupBy(wantedStates, ([name]) => name.split(',')[0]!))
      const faults = await Promise.all(Array.from({ length: pagesMax }, () => findFaults(screens, session())))
      expect(faults.flat()).toEqual([])
    },
  )
}

/** Takes screens from the queue until it is empty. Returns the faults of their states. */
async function findFaults(queue: (Screen | undefined)[], member: Session | null): Promise<string[]> {
  const page = await newPage()
  if (member) await logInAs(page, member)
  const faults: string[] = []
  for (let screen = queue.shift(); screen; screen = queue.shift())
    for (const [name, reach] of screen) faults.push(...(await faultsOf(page, name, reach)))
  return faults
}

/** Lists the tags of the elements that a page shows, without generated ids and the positions of popups. */
function shownElements(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => {
        const copy = element.cloneNode() as Element
        copy.removeAttribute('style')
        return copy.outerHTML.replaceAll(/_r_\w+_/g, '')
      }),
  )
}

/** Lists the elements that only one of desktop and phone shows in a state. The menu, for example, replaces links. */
function shownInOneSize(onDesktop: string[], onPhone: string[]): string {
  // The same tag may occur several times, and fewer times on the phone.
  const numbered = (tags: string[]) => {
    const counts = new Map<string, number>()
    return new Set(
      tags.map((tag) => {
        const count = (counts.get(tag) ?? 0) + 1
        counts.set(tag, count)
        return `${count} ${tag}`
      }),
    )
  }
  const differences = numbered(onDesktop).symmetricDifference(numbered(onPhone))
  return [...differences].map((tag) => tag.replace(/^\d+ /, '')).join('\n')
}

/** What `shownInOneSize` has returned for states without a violation. */
const accessibleDifferences = new Set<string>()

/**
 * Reaches a state once and checks it twice, on a desktop in the light theme and, after resizing the window, on a phone in the dark
 * one. The menu, which is only on phones, is checked in both themes. On the phone, the rules that depend on neither the theme nor the
 * layout run only if its elements differ from the desktop's in a way that no earlier state has.
 */
async function faultsOf(page: Page, name: string, reach: Reach): Promise<string[]> {
  const faults: string[] = []
  let shownOnDesktop: string[] = []
  for (const size of sizes) {
    try {
      await page.setViewportSize(size)
      const isReached = size === sizes[0] || reachedInEachSize.has(name)
      if (isReached) await reach(page)
      // A restored scroll position may leave a control half under the header.
      await page.evaluate(() => scrollTo(0, 0))
      await switchTheme(page, size.theme)
      const shown = await shownElements(page)
      const differences = size === sizes[0] ? null : shownInOneSize(shownOnDesktop, shown)
      shownOnDesktop = shown
      await expectAccessible(page, {
        inBothThemes: reachedInEachSize.has(name),
        onlyAppearance: differences !== null && accessibleDifferences.has(differences),
      })
      if (differences !== null) accessibleDifferences.add(differences)
      await expect.poll(() => horizontalOverflow(page), { message: 'horizontal overflow' }).toBe(0)
      if (size !== sizes[0])
        await expect.poll(() => coveredControls(page), { message: 'covered', interval: 200 }).toEqual([])
      if (sheet) await takeScreenshots(page, join(sheet, `${name} · ${size.name}`))
    } catch (error) {
      const { message, actual } = error as Error & { actual?: unknown }
      faults.push(`${size.name}: ${name}: ${message} ${JSON.stringify(actual)}`)
    }
  }
  await page.context().setOffline(false)
  clearStubs(page)
  return faults
}

/** Takes a screenshot of the page in each theme; with an overlay, only of the visible part. */
async function takeScreenshots(page: Page, path: string): Promise<void> {
  const isOverlay = (await page.locator('[role=dialog], [role=alertdialog], [role=listbox]').count()) > 0
  await page.mouse.move(0, 0)
  for (const theme of ['light', 'dark'] as const) {
    await switchTheme(page, theme)
    await page.screenshot({ path: `${path}, ${theme}.png`, fullPage: !isOverlay })
  }
}
