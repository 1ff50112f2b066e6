import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { messages } from '#shared/messages.ts'
import {
  aMember,
  aMovie,
  alive,
  answer,
  enter,
  expectAccessible,
  fail,
  go,
  hold,
  letPass,
  type Member,
  newReader,
  post,
  type Session,
  sessionOf,
  type Size,
  sizes,
  specified,
  useBrowser,
} from './site.ts'

useBrowser()

/** How a screen comes to be in a state; it is there when this is done. */
type Reach = (page: Page) => Promise<unknown>
type States = Record<string, Reach>

let demo: Session
/** Has done nothing yet, and is followed by nobody. */
let newcomer: Member
let unreviewed: number
let reviewed: number
beforeAll(async () => {
  demo = await sessionOf('demo@medley.example', 'medley-demo')
  newcomer = await aMember('states.newcomer')
  unreviewed = await aMovie(newcomer, 'A title without a word')
  reviewed = await aMovie(newcomer, 'A title with a word')
  await post('/reviews', { movieId: reviewed, rating: 4, text: 'The only word.' }, demo.token)
})

const filled =
  (path: string): Reach =>
  async (page) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await alive(page)
    await expect.poll(() => page.getByRole('status', { name: /^(Loading|Searching)/ }).count()).toBe(0)
  }

/** Goes to a place inside of the app, so that it has to ask for everything, while these calls are kept waiting. */
const loading =
  (path: string, ...procedures: string[]): Reach =>
  async (page) => {
    await page.goto('/login?redirect=/create-item')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    for (const procedure of procedures) await hold(page, procedure)
    await go(page, path)
    const waiting = page.getByRole('status', { name: /^(Loading|Searching)/ })
    await waiting
      .or(page.getByRole('status').filter({ hasText: messages.loading }))
      .first()
      .waitFor({ state: 'attached' })
  }

const failed =
  (path: string, ...procedures: string[]): Reach =>
  async (page) => {
    await page.goto('/login?redirect=/create-item')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    for (const procedure of procedures) await fail(page, procedure)
    await go(page, path)
    await page.getByRole('button', { name: 'Try again' }).first().waitFor()
  }

const sources = ['sources.searchTmdb', 'sources.searchBooks', 'sources.searchGames', 'social.searchUsers']
const popular = ['movies', 'tvShows', 'books', 'games'].map((router) => `${router}.popular`)
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

const visitors: States = {
  Home: filled('/'),
  'Home, loading': loading('/', ...popular),
  'Home, failed': failed('/', ...popular),
  'Home, empty': async (page) => {
    await page.goto('/login')
    for (const procedure of popular) await answer(page, procedure, { popular: [] })
    await go(page, '/')
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
  'Sign up, faults': async (page) => {
    await filled('/signup')(page)
    await press(page, specified('Create account'))
    await page.getByText(messages.usernameInvalid).waitFor()
  },
  'Sign up, sending': async (page) => {
    await filled('/signup')(page)
    await hold(page, 'accounts.register')
    await page.getByRole('textbox', { name: 'Username' }).fill('never.sent')
    await page.getByRole('textbox', { name: 'Email' }).fill('never@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('six-or-more')
    await press(page, specified('Create account'))
    await page.getByRole('button', { name: specified('Creating account…') }).waitFor()
  },
  'Verify, nothing to': filled('/verify-email'),
  'Verify, at it': async (page) => {
    await hold(page, 'accounts.verifyEmail')
    await page.goto('/verify-email?token=waiting')
    await page.getByText(messages.verifying).waitFor()
  },
  'Forgotten password': filled('/forgot-password'),
  'Forgotten password, sent': async (page) => {
    await filled('/forgot-password')(page)
    await page.getByRole('textbox', { name: 'Email' }).fill('nobody@example.org')
    await press(page, 'Send the link')
    await page.getByText(messages.resetSent).waitFor()
  },
  'New password, faults': async (page) => {
    await filled('/reset-password?token=any')(page)
    await press(page, 'Set password')
    await page
      .getByRole('textbox', { name: 'New password', exact: true })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor()
  },
  'New password, dead link': filled('/reset-password'),
  Movie: filled('/movies/1'),
  'TV show': filled('/tv-shows/70'),
  Book: filled('/books/120'),
  Game: filled('/games/180'),
  'Movie, loading': loading('/movies/1', 'movies.byId'),
  'Movie, failed': failed('/movies/1', 'movies.byId'),
  'Movie, unknown': filled('/movies/999999'),
  'Movie, told to log in': async (page) => {
    await filled('/movies/1')(page)
    await page.waitForLoadState('networkidle')
    await press(page, 'Favorite')
    await page.getByText(messages.pleaseLogInFirst).waitFor()
  },
  'Search, asked for nothing': filled('/search'),
  Search: filled('/search?q=star'),
  'Search, users': filled('/search?q=lantern&tab=users'),
  'Search, loading': loading('/search?q=star', ...sources),
  'Search, failed': failed('/search?q=star', ...sources),
  'Search, nothing': async (page) => {
    await page.goto('/search?q=qqqzzzxxx')
    await page.getByText(messages.noResults('qqqzzzxxx')).waitFor()
  },
  'Create something': filled('/create-item'),
}

const members: States = {
  'Home, a member’s': filled('/'),
  'For You': filled('/for-you'),
  'For You, loading': loading('/for-you', 'movies.forYou'),
  'For You, failed': failed('/for-you', 'movies.forYou'),
  'For You, nothing by so many': filled('/for-you?friends=5&tab=books'),
  'For You, offline': async (page) => {
    await filled('/for-you')(page)
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
  },
  Items: filled('/items'),
  'Items, loading': loading('/items', 'items.list'),
  'Items, failed': failed('/items', 'items.list'),
  'Items, none': filled('/items?page=9999'),
  Item: filled('/items/1'),
  'Item, loading': loading('/items/1', 'items.byId'),
  'Item, failed': failed('/items/1', 'items.byId'),
  'Item, unknown': filled('/items/999999'),
  'Item, faults': async (page) => {
    await filled('/items/1')(page)
    await press(page, 'Submit review')
    await page.getByText(messages.ratingRequired).waitFor()
  },
  'Title, one’s own review': async (page) => {
    await filled(`/movies/${reviewed}`)(page)
    await page.getByRole('button', { name: specified('Edit your Review') }).waitFor()
  },
  'Title, editing with a fault, comments open': async (page) => {
    await filled(`/movies/${reviewed}`)(page)
    const item = page.getByRole('article', { name: 'Review by demo' })
    await item.getByRole('button', { name: specified('Edit'), exact: true }).click()
    await item.getByRole('textbox').fill('')
    await item.getByRole('radio', { name: /^4 stars/ }).click()
    await item.getByRole('button', { name: specified('Save'), exact: true }).click()
    await item.getByText(messages.ratingOutOfRange).waitFor()
    await item.getByRole('button', { name: /^Comments/ }).click()
    await item.getByRole('button', { name: 'Post comment' }).click()
    await item.getByText(messages.commentEmpty).waitFor()
  },
  'Title, comments that do not load': async (page) => {
    await fail(page, 'reviews.comments')
    await filled(`/movies/${reviewed}`)(page)
    await page.getByRole('button', { name: /^Comments/ }).click()
    await page.getByText(messages.commentsFailed).waitFor()
  },
  'Title, asked whether to delete': async (page) => {
    await filled(`/movies/${reviewed}`)(page)
    await page
      .getByRole('article', { name: 'Review by demo' })
      .getByRole('button', { name: specified('Delete') })
      .click()
    await page.getByRole('alertdialog').waitFor()
  },
  'Title, order to choose': async (page) => {
    await filled(`/movies/${reviewed}`)(page)
    await page.waitForLoadState('networkidle')
    await page.getByRole('combobox', { name: 'Order' }).click()
    await page.getByRole('option').first().waitFor()
  },
  'Title, rating refused': async (page) => {
    await fail(page, 'reviews.save', { status: 400, message: 'Not now.' })
    await filled(`/movies/${unreviewed}`)(page)
    await page.getByRole('radio', { name: /^4 stars/ }).click()
    await page.getByText('Your rating was not saved').waitFor()
  },
  'Title, its parts failed': async (page) => {
    await page.goto('/items')
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const procedure of ['movies.ratingHistogram', 'reviews.list', 'reviews.mine'])
      await fail(page, procedure)
    await go(page, '/movies/2')
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(3)
  },
  Profile: filled('/user/1'),
  'Profile, somebody else’s': filled('/user/2'),
  'Profile, loading': loading('/user/2', 'accounts.profile'),
  'Profile, failed': failed('/user/2', 'accounts.profile'),
  'Profile, unknown': filled('/user/999999'),
  Followers: filled('/user/2/followers'),
  'Followers, loading': loading('/user/2/followers', 'social.followers'),
  'Followers, failed': failed('/user/2/followers', 'social.followers'),
  Favourites: filled('/favorites'),
  'Favourites, loading': loading('/favorites', 'favoriteMovies.list'),
  'Favourites, failed': failed('/favorites', 'favoriteMovies.list'),
  Settings: filled('/settings'),
  'Settings, to confirm a new email': async (page) => {
    await filled('/settings')(page)
    await page.waitForLoadState('networkidle')
    await page.getByRole('textbox', { name: 'Email' }).fill('another@example.org')
    await press(page, specified('Save changes'))
    await press(page, 'Change email')
    await page.getByText(messages.currentPasswordMissing).waitFor()
  },
  'Settings, account with faults': async (page) => {
    await filled('/settings?tab=account')(page)
    await press(page, 'Update password')
    await page.getByText(messages.passwordFieldsMissing).waitFor()
  },
  'Settings, sessions loading': loading('/settings?tab=account', 'accounts.listSessions'),
  'Settings, sessions failed': failed('/settings?tab=account', 'accounts.listSessions'),
  'Settings, notifications': filled('/settings?tab=notifications'),
  'Create a movie': filled('/create-item/movies'),
  'Create a movie, faults': async (page) => {
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
  'Home, friends without favourites': async (page) => {
    await page.goto('/')
    await page.getByText(messages.networkFavoritesEmpty).waitFor()
  },
  'For You, empty': async (page) => {
    await page.goto('/for-you')
    await page.getByText(messages.feedEmpty).waitFor()
  },
  'Favourites, none': filled('/favorites'),
  'Profile, nothing on it': async (page) => filled(`/user/${newcomer.user.id}`)(page),
  'Followers, none': async (page) => filled(`/user/${newcomer.user.id}/followers`)(page),
  'Title, nobody’s word': async (page) => filled(`/movies/${unreviewed}`)(page),
  'Title, nobody whom one follows': async (page) =>
    filled(`/movies/${reviewed}?scope=network&reviews=network`)(page),
}

describeReader('visitor', visitors, () => null)
describeReader('member', members, () => demo)
describeReader('newcomer', newcomers, () => newcomer)

function describeReader(reader: string, states: States, session: () => Session | null) {
  test(
    `no screen in any state has anything that axe objects to in either theme, or scrolls sideways (${reader})`,
    { timeout: 300_000 },
    async () => {
      // Several pages at once, each of them a process of its own: while one waits another is looked at.
      const all = Object.entries(states)
      const faults = await Promise.all(
        sizes.flatMap((size) =>
          [0, 1].map((half) =>
            faultsAt(
              size,
              all.filter((_, index) => index % 2 === half),
              session(),
            ),
          ),
        ),
      )
      expect(faults.flat()).toEqual([])
    },
  )
}

async function faultsAt(
  size: Size,
  states: [name: string, reach: (page: Page) => Promise<unknown>][],
  member: Session | null,
): Promise<string[]> {
  const page = await newReader(size)
  if (member) await enter(page, member)
  const faults: string[] = []
  for (const [name, reach] of states) {
    try {
      await reach(page)
      await expectAccessible(page)
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(beyond, 'how far it scrolls sideways').toBeLessThanOrEqual(0)
    } catch (error) {
      const { message, actual } = error as Error & { actual?: unknown }
      faults.push(`${size.name}: ${name}: ${message} ${JSON.stringify(actual)}`)
    }
    await page.context().setOffline(false)
    letPass(page)
  }
  return faults
}
