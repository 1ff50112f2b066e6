import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page, type Route } from 'playwright-core'
import { defaultImportOptions, type ImportState } from '#shared/imports.ts'
import { findChromium } from './testing/chromium.ts'
import { startSite } from './testing/site.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    url: { type: 'string' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'dist/contact-sheet' },
  },
})
if (values.help) {
  console.log(`npm run contact-sheet [-- --url http://…] [--only pattern] [--out dist/contact-sheet]

Takes a screenshot of every screen in every state, in both themes and at both widths, and shows them on one page, index.html.
Starts a server with the demo community, or uses the one at --url, which must have it too; writes nothing to it except a
session. --only takes the states whose “screen · state” matches. Exits with 1 if it finds a fault: a state that is not
reached, a console error, a violation of the content security policy, horizontal scrolling, a broken picture, or a page
without exactly one main heading.`)
  process.exit()
}

const widths = [
  { name: 'desk', width: 1280, height: 900 },
  { name: 'phone', width: 390, height: 844 },
]
const themes = ['light', 'dark'] as const

/** How to reach a state of a screen. The patterns match names of procedures, such as `reviews.list`. */
type State = {
  /** Logged in as the first member of the demo community; a visitor by default. */
  member?: true
  /** Calls that stay pending. */
  hold?: RegExp
  /** Calls that return an internal server error. */
  fail?: RegExp
  /** Calls that return empty lists and zero counts. */
  empty?: RegExp
  /** Results that replace the server's: a function transforms the server's result; any other value is returned as it is. */
  override?: Record<string, unknown>
  /** Two new reviews arrive while the page is open. */
  arrive?: true
  /** Interactions that lead to the state, once the page is loaded. */
  act?: Act
  /** Captures only the viewport instead of the whole page, for overlays. */
  window?: true
}
type Act = (page: Page) => Promise<unknown>
type Places = { me: number; other: number; mine: string; review: number; unrated: string }

const all = /./
const hits = /sources\.|searchUsers/
const member = { member: true } as const
const over = { window: true } as const
const longName = 'Bartholomew-Featherstonehaugh_'
const longTitle =
  'The Incredibly Strange Creatures Who Stopped Living, or: Supercalifragilisticexpialidocious'
const verified = { message: 'Email verified successfully. You can now log in.' }
const registered = { message: 'Account created.', user: { id: 1, username: 'nora_reads' } }
const rated = {
  review: {
    id: 1_000_000,
    userId: 1,
    rating: 4,
    text: '',
    user: { id: 1, username: 'demo', profilePicture: null },
  },
}
const newcomer = fill({ Username: 'nora_reads', Email: 'nora@example.org', Password: 'long-enough' })
const account = fill({ Email: 'nora@example.org', Password: 'not-it' })
const passwords = fill({ 'New password': 'long-enough', 'New password again': 'another-one' })
const newEmail = steps(fill({ Email: 'new@example.org' }), press('Save changes'), dialog)
const hook = {
  id: 1,
  url: 'https://example.org/medley',
  events: ['review', 'comment'],
  createdAt: '2026-05-04T12:30:00.000Z',
  failingSince: null,
  disabledAt: null,
}
const hooks = {
  webhooks: [
    hook,
    { ...hook, id: 2, url: `https://example.org/${'x'.repeat(80)}`, failingSince: hook.createdAt },
    { ...hook, id: 3, failingSince: hook.createdAt, disabledAt: hook.createdAt },
  ],
}
const sent = {
  type: 'review.created',
  createdAt: hook.createdAt,
  attempts: 1,
  attemptedAt: hook.createdAt,
  deliveredAt: null,
  nextAttemptAt: null,
  status: null,
  error: null,
}
const deliveries = {
  deliveries: [
    { ...sent, id: 'msg_4', attempts: 0 },
    {
      ...sent,
      id: 'msg_3',
      attempts: 3,
      status: 500,
      error: 'The server responded 500.',
      nextAttemptAt: '2036-05-03T12:30:00.000Z',
    },
    { ...sent, id: 'msg_2', error: 'The server did not respond in time.' },
    { ...sent, id: 'msg_1', status: 204, deliveredAt: hook.createdAt },
  ],
}
const tokens = {
  tokens: [
    {
      id: 3,
      name: longTitle,
      scopes: ['read', 'reviews:write', 'diary:write', 'social:write', 'imports', 'account'],
      createdAt: '2026-05-04T12:30:00.000Z',
      expiresAt: null,
      lastUsedAt: null,
    },
    {
      id: 2,
      name: 'Backup',
      scopes: ['read'],
      createdAt: '2026-05-03T12:30:00.000Z',
      expiresAt: '2036-05-03T12:30:00.000Z',
      lastUsedAt: '2026-05-04T12:30:00.000Z',
    },
    {
      id: 1,
      name: 'Old script',
      scopes: ['diary:write'],
      createdAt: '2025-05-03T12:30:00.000Z',
      expiresAt: '2025-08-03T12:30:00.000Z',
      lastUsedAt: '2025-08-02T12:30:00.000Z',
    },
  ],
}
const comments = (then: string | RegExp) => press(/^Comments \([1-9]/, then)
const rate = (then?: string) => steps(toHeading('Share Your Take'), press(/^4 stars/, then, 'radio'))

/** Returns all states: screen, state, path, and how to reach it. The member has reviewed the movie `mine`, and not `unrated`. */
// oxfmt-ignore
const statesAt = ({ me, other, mine, review, unrated }: Places): [screen: string, title: string, path: string, state?: State][] => [
  ['Home', 'visitor', '/'],
  ['Home', 'member', '/', member],
  ['Home', 'menu of a title', '/', { ...member, ...over, act: steps(toHeading('Popular this week'), openMenu) }],
  ['Home', 'loading', '/', { ...member, hold: all }],
  ['Home', 'empty', '/', { ...member, empty: /popular|network/ }],
  ['Home', 'error', '/', { ...member, fail: all }],
  ['Home', 'one kind', '/?tab=book'],
  ['Home', 'one kind, empty', '/?tab=game', { empty: /popular/ }],
  ['Home', 'offline', '/', { ...over, act: steps(offline, see('You are offline')) }],
  ['Home', 'navigation, offline', '/', { act: steps(offline, press('Create your account', 'This page did not load', 'link')) }],
  ['Bar', 'menu, visitor', '/', { ...over, act: menu }],
  ['Bar', 'menu, member', '/', { ...member, ...over, act: menu }],
  ['Bar', 'suggestions', '/', { ...over, act: suggest }],
  ['Bar', 'suggestion by keys', '/', { ...over, act: steps(suggest, keys('ArrowDown')) }],
  ['Bar', 'skip link', '/', { ...over, act: keys('Tab') }],
  ['Shortcuts', 'open', '/', { ...over, act: steps(keys('?'), dialog) }],
  ['Sign up', 'untouched', '/signup'],
  ['Sign up', 'filled', '/signup', { act: steps(newcomer, choosePicture) }],
  ['Sign up', 'validation errors', '/signup', { act: press('Create account', 'Please enter a valid email address.') }],
  ['Sign up', 'creating', '/signup', { hold: /register/, act: steps(newcomer, press('Create account', 'Creating account…')) }],
  ['Sign up', 'failed', '/signup', { fail: /register/, act: steps(newcomer, press('Create account', 'Something went wrong.')) }],
  ['Login', 'untouched', '/login'],
  ['Login', 'after signing up', '/signup', { override: { 'accounts.register': registered }, act: steps(newcomer, press('Create account', 'We sent a verification email')) }],
  ['Login', 'validation errors', '/login', { act: press('Log in', 'Please enter your email.') }],
  ['Login', 'wrong password', '/login', { act: steps(account, press('Log in', 'Invalid email or password.')) }],
  ['Login', 'pending', '/login', { hold: /login/, act: steps(account, press('Log in', 'Logging in…')) }],
  ['Forgot password', 'untouched', '/forgot-password'],
  ['Forgot password', 'sent', '/forgot-password', { override: { 'accounts.forgotPassword': { message: 'If there is an account with this email, a link is on its way.' } }, act: steps(fill({ Email: 'nora@example.org' }), press('Send the link', 'on its way')) }],
  ['Reset password', 'untouched', '/reset-password?token=dead'],
  ['Reset password', 'validation errors', '/reset-password?token=dead', { act: steps(passwords, press('Set password', 'do not match')) }],
  ['Reset password', 'no token', '/reset-password'],
  ['Verify email', 'verifying', '/verify-email?token=dead', { hold: all, act: see('Verifying your email…') }],
  ['Verify email', 'verified', '/verify-email?token=dead', { override: { 'accounts.verifyEmail': verified }, act: see(verified.message) }],
  ['Verify email', 'no token', '/verify-email'],
  ['Verify email', 'dead token', '/verify-email?token=dead', { act: see('Verification failed') }],
  ['Search', 'no query', '/search'],
  ['Search', 'Movies & TV', '/search?q=the'],
  ['Search', 'books', '/search?q=dune&tab=books'],
  ['Search', 'games', '/search?q=the&tab=games', member],
  ['Search', 'users', '/search?q=an&tab=users'],
  ['Search', 'loading', '/search?q=star', { hold: hits }],
  ['Search', 'loading users', '/search?q=star&tab=users', { hold: hits }],
  ['Search', 'empty', '/search?q=qzxv'],
  ['Search', 'empty, results in other tabs', '/search?q=the&tab=users', { empty: /searchUsers/ }],
  ['Search', 'error', '/search?q=star', { fail: hits }],
  ['Search', 'adding a title', '/search?q=star', { ...member, hold: /sources\.(?!search)/, override: { 'movies.existsByTmdb': { exists: {} }, 'tvShows.existsByTmdb': { exists: {} } }, act: press(/^Add /, 'Adding…') }],
  ['Search', 'without an id', '/search?q=dune&tab=books', { override: { 'sources.searchBooks': each('results', { isbn13: null, olid: null }) } }],
  ['Search', 'long query', `/search?q=${encodeURIComponent(longTitle)}`],
  ['Movie', 'visitor', mine],
  ['Movie', 'member, reviewed', mine, member],
  ['Movie', 'member, unrated', unrated, member],
  ['Movie', 'loading', unrated, { ...member, hold: all }],
  ['Movie', 'error', unrated, { ...member, fail: all }],
  ['Movie', 'secondary calls failed', unrated, { ...member, fail: /reviews\.|Rating|Histogram|favorite/i }],
  ['Movie', 'not found', '/movies/999999'],
  ['Movie', 'no details', unrated, { ...member, empty: /reviews\.list|Rating|Histogram/, override: { 'movies.byId': part('movie', { overview: null, tagline: null, posterUrl: null, imageUrl: null, backdropUrl: null, heroImageUrl: null, genres: [], runtime: null, releaseDate: null }) } }],
  ['Movie', 'created by an import', unrated, { ...member, override: { 'movies.byId': part('movie', { source: 'import', addedBy: { id: 3, username: 'maria' } }) } }],
  ['Movie', 'long words', mine, { ...member, override: { 'movies.byId': part('movie', { name: longTitle, tagline: `${longTitle} ${longTitle}` }), 'reviews.list': each('reviews', { text: `${longTitle}\n\n${longTitle.replaceAll(' ', '').repeat(2)}`, likeCount: 12_345, dislikeCount: 6_789, commentCount: 1_200, user: { id: 2, username: longName, profilePicture: null } }) } }],
  ['Movie', 'saving a rating', unrated, { ...member, ...over, hold: /reviews\.save/, act: rate() }],
  ['Movie', 'rating failed', unrated, { ...member, ...over, fail: /reviews\.save/, act: rate('Your rating was not saved') }],
  ['Movie', 'posting', mine, { ...member, hold: /reviews\.save/, act: steps(press('Edit your Review'), press('Post review', 'Posting…')) }],
  ['Movie', 'post failed', mine, { ...member, fail: /reviews\.save/, act: steps(press('Edit your Review'), press('Post review', 'Your text is safe')) }],
  ['Movie', 'editing in the list', mine, { ...member, override: { 'reviews.list': each('reviews', { userId: me }) }, act: press(/^Edit$/, 'Cancel') }],
  ['Movie', 'deleting', mine, { ...member, ...over, act: steps(press('Delete'), dialog) }],
  ['Movie', 'deleted, with undo', mine, { ...member, ...over, act: steps(keepReviews, press('Delete'), dialog, (page) => page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click(), see('Review deleted.')) }],
  ['Movie', 'pinned review', `${mine}?review=${review}`, member],
  ['Movie', 'spoilers', mine, { ...member, override: { 'reviews.list': each('reviews', { hasSpoilers: true }) } }],
  ['Movie', 'inline spoilers', mine, { ...member, override: { 'reviews.list': each('reviews', { text: 'A quiet film. ||They were dead all along.|| Seen twice.' }) } }],
  ['Movie', 'rated, no reviews', mine, { ...member, override: { 'reviews.list': { reviews: [], pagination: { page: 1, pageSize: 5, total: 0, totalPages: 0 } } } }],
  ['Movie', 'comments', mine, { act: comments('Log in to join the discussion.') }],
  ['Movie', 'comments, member', mine, { ...member, act: comments('Post comment') }],
  ['Movie', 'comment, validation error', mine, { ...member, act: steps(comments('Post comment'), press('Post comment', 'Comment cannot be empty.')) }],
  ['Movie', 'comments loading', mine, { hold: /comments/, act: steps(comments(/Comments/), (page) => page.locator('.skeleton').first().waitFor()) }],
  ['Movie', 'comments failed', mine, { fail: /comments/, act: comments('Could not load comments') }],
  ['Movie', 'very many comments', mine, { override: { 'reviews.comments': (result: object) => ({ ...result, total: 1_234 }) }, act: comments(/of 1,234/) }],
  ['Movie', 'following', `${mine}?scope=network&reviews=network`, member],
  ['Movie', 'following, empty', `${unrated}?scope=network&reviews=network`, { ...member, empty: /reviews\.list|network/i }],
  ['Movie', 'many pages', `${mine}?page=5`, { override: { 'reviews.list': part('pagination', { total: 57, totalPages: 12 }) } }],
  ['Movie', 'page out of range', `${mine}?page=90`],
  ['Movie', 'sort open', mine, { ...over, act: steps(toHeading(/^User Reviews/), press('Sort by', undefined, 'combobox'), (page) => page.getByRole('option').first().waitFor()) }],
  ['Movie', 'new reviews', mine, { ...over, arrive: true, act: steps(toHeading(/^User Reviews/), see('2 new reviews')) }],
  ['TV show', 'visitor', '/tv-shows/70'],
  ['TV show', 'not found', '/tv-shows/999999'],
  ['Book', 'visitor', '/books/120'],
  ['Book', 'member', '/books/120', member],
  ['Book', 'loading', '/books/120', { hold: all }],
  ['Book', 'not found', '/books/999999'],
  ['Game', 'visitor', '/games/180'],
  ['Game', 'member', '/games/180', member],
  ['Game', 'not found', '/games/999999'],
  ['For You', 'filled', '/for-you', member],
  ['For You', 'one kind', '/for-you?tab=books', member],
  ['For You', 'loading', '/for-you', { ...member, hold: all }],
  ['For You', 'empty', '/for-you', { ...member, empty: /forYou/ }],
  ['For You', 'too few friends', '/for-you?friends=5', { ...member, override: Object.fromEntries(['movies', 'tvShows', 'books', 'games'].map((kind) => [`${kind}.forYou`, each('forYou', { friendCount: 1 })])) }],
  ['For You', 'falls back to another tab', '/for-you?tab=games', { ...member, empty: /games\.forYou/ }],
  ['For You', 'error', '/for-you', { ...member, fail: all }],
  ['Favorites', 'filled', '/favorites', member],
  ['Favorites', 'loading', '/favorites', { ...member, hold: all }],
  ['Favorites', 'empty', '/favorites', { ...member, empty: /favorite/ }],
  ['Favorites', 'error', '/favorites', { ...member, fail: all }],
  ['Items', 'filled', '/items', member],
  ['Items', 'page two', '/items?page=2', member],
  ['Items', 'sorted and filtered', '/items?sort=rating&decade=1990&unrated=yes', member],
  ['Items', 'no match', '/items?genre=None', member],
  ['Items', 'loading', '/items', { ...member, hold: all }],
  ['Items', 'empty', '/items', { ...member, empty: all }],
  ['Items', 'error', '/items', { ...member, fail: all }],
  ['Item', 'filled', mine.replace('movies', 'items'), member],
  ['Item', 'loading', mine.replace('movies', 'items'), { ...member, hold: all }],
  ['Item', 'no reviews', mine.replace('movies', 'items'), { ...member, empty: /reviews/ }],
  ['Item', 'validation errors', mine.replace('movies', 'items'), { ...member, act: press(/^(Post|Submit|Publish)( review)?$/, 'Please select a rating.') }],
  ['Item', 'error', mine.replace('movies', 'items'), { ...member, fail: all }],
  ['Item', 'not found', '/items/999999', member],
  ['Profile', 'own', `/user/${me}`, member],
  ['Profile', 'another', `/user/${other}`, member],
  ['Profile', 'follow pending', `/user/${other}`, { ...member, ...over, hold: /follow$/, act: press(/^(Follow|Unfollow) /) }],
  ['Profile', 'loading', `/user/${other}`, { ...member, hold: all }],
  ['Profile', 'favorites loading', `/user/${other}`, { ...member, hold: /favorite/ }],
  ['Profile', 'own, empty', `/user/${me}`, { ...member, empty: /favorite/, override: { 'accounts.profile': part('user', { reviewCount: 0, followersCount: 0, followingCount: 0 }) } }],
  ['Profile', 'another, empty', `/user/${other}`, { ...member, empty: /favorite/, override: { 'accounts.profile': part('user', { profilePicture: null, reviewCount: 0, followersCount: 0, followingCount: 0 }) } }],
  ['Profile', 'favorites failed', `/user/${other}`, { ...member, fail: /favorite/ }],
  ['Profile', 'long name', `/user/${other}`, { ...member, override: { 'accounts.profile': part('user', { username: longName, profilePicture: null, reviewCount: 123_456, followersCount: 9_950, followingCount: 1_000 }) } }],
  ['Profile', 'error', `/user/${other}`, { ...member, fail: all }],
  ['Profile', 'not found', '/user/999999', member],
  ['Library', 'own', `/user/${me}/reviews`, member],
  ['Library', 'of another member', `/user/${other}/reviews?kind=book`, member],
  ['Library', 'with text, highest first', `/user/${me}/reviews?text=yes&sort=highest`, member],
  ['Library', 'a sort is chosen', `/user/${other}/reviews`, { ...member, ...over, act: press('Sort', 'Highest rated', 'combobox') }],
  ['Library', 'no match', `/user/${other}/reviews?year=1980`, member],
  ['Library', 'loading', `/user/${other}/reviews`, { ...member, hold: /ofUser|histogramsOfUser/ }],
  ['Library', 'empty', `/user/${me}/reviews`, { ...member, empty: /ofUser|histogramsOfUser/ }],
  ['Library', 'error', `/user/${other}/reviews`, { ...member, fail: /ofUser|histogramsOfUser/ }],
  ['Library', 'offline', `/user/${other}/reviews`, { ...member, ...over, act: steps(offline, see('You are offline')) }],
  ['Followers', 'filled', `/user/${me}/followers`, member],
  ['Followers', 'loading', `/user/${me}/followers`, { ...member, hold: all }],
  ['Followers', 'empty', `/user/${other}/followers`, { ...member, empty: /followers/ }],
  ['Followers', 'error', `/user/${other}/followers`, { ...member, fail: all }],
  ['Following', 'filled', `/user/${other}/following`, member],
  ['Diary', 'filled', '/diary', member],
  ['Diary', 'one kind, one year', `/diary?kind=movie&year=${new Date().getFullYear()}`, member],
  ['Diary', 'want list', '/diary?list=want', member],
  ['Diary', 'loading', '/diary', { ...member, hold: all }],
  ['Diary', 'empty', '/diary', { ...member, empty: /diary/ }],
  ['Diary', 'want list, empty', '/diary?list=want', { ...member, empty: /diary/ }],
  ['Diary', 'no match', '/diary?kind=game&status=paused', { ...member, empty: /diary.list/ }],
  ['Diary', 'error', '/diary', { ...member, fail: all }],
  ['Diary', 'form', '/diary', { ...member, ...over, act: steps(press(/^Edit the entry of/), dialog) }],
  ['Diary', 'private', `/user/${other}/diary`, member],
  ['Year', 'filled', `/user/${me}/year/${new Date().getFullYear()}`, member],
  ['Year', 'tables open', `/user/${me}/year/${new Date().getFullYear()}`, { ...member, act: (page) => page.locator('details').evaluateAll((all) => all.forEach((one) => one.toggleAttribute('open', true))) }],
  ['Year', 'loading', `/user/${me}/year/2026`, { ...member, hold: /diary/ }],
  ['Year', 'nothing', `/user/${me}/year/1999`, member],
  ['Year', 'error', `/user/${me}/year/2026`, { ...member, fail: /diary/ }],
  ['Year', 'private', `/user/${other}/year/2026`, member],
  ['Movie', 'diary form', unrated, { ...member, ...over, act: steps(press(/your diary\)$/), dialog) }],
  ['Movie', 'diary form, finished', mine, { ...member, ...over, act: steps(press(/your diary\)$/), dialog) }],
  ['Movie', 'diary form, rejected', unrated, { ...member, ...over, fail: /diary\.(create|edit)/, act: steps(press(/your diary\)$/), dialog, press('Save', 'Something went wrong.')) }],
  ['Movie', 'diary offer', unrated, { ...member, ...over, override: { 'reviews.save': rated }, act: rate('to your diary?') }],
  ['Imports', 'none', '/imports', { ...member, override: { 'imports.list': { imports: [] } } }],
  ['Imports', 'filled', '/imports', { ...member, override: { 'imports.list': { imports: [anImport('done'), anImport('applying'), anImport('ready'), anImport('undone')].map((one, at) => ({ ...one, id: at + 1 })) } } }],
  ['Imports', 'help open', '/imports', { ...member, act: (page) => page.getByText('Letterboxd', { exact: true }).first().click() }],
  ['Imports', 'refused', '/imports', { ...member, act: steps(choosePicture, see('Medley does not recognize this file')) }],
  ['Imports', 'loading', '/imports', { ...member, hold: all }],
  ['Imports', 'error', '/imports', { ...member, fail: all }],
  ['Imports', 'delete', '/imports', { ...member, ...over, override: { 'imports.list': { imports: [anImport('done')] } }, act: steps(press(/^Delete the import/), dialog) }],
  ['Import', 'rehearsal', '/imports/1', { ...member, override: ofImport('ready') }],
  ['Import', 'rehearsal of a CSV file', '/imports/1', { ...member, override: ofImport('ready', { service: 'csv', columns: ['Title', 'Year', 'My score'], shelves: [{ name: 'to-buy', count: 12 }] }) }],
  ['Import', 'rehearsal with follows', '/imports/1', { ...member, override: ofImport('ready', { service: 'medley', parts: { ratings: 1_100, reviews: 124, entries: 640, favorites: 4, titles: 0, follows: 12 } }) }],
  ['Import', 'looking up', '/imports/1', { ...member, override: ofImport('matching') }],
  ['Import', 'waiting', '/imports/1', { ...member, override: ofImport('waiting', { waitingFor: 'tmdb', nextAt: '2026-05-12T14:32:00.000Z' }) }],
  ['Import', 'stopped', '/imports/1', { ...member, override: ofImport('stopped') }],
  ['Import', 'importing', '/imports/1', { ...member, override: ofImport('applying') }],
  ['Import', 'done', '/imports/1', { ...member, override: ofImport('done') }],
  ['Import', 'undo', '/imports/1', { ...member, ...over, override: ofImport('done'), act: steps(press('Undo the whole import'), dialog, see('This removes')) }],
  ['Import', 'undo failed', '/imports/1', { ...member, ...over, fail: /previewUndo/, override: ofImport('done'), act: steps(press('Undo the whole import'), dialog, see('Try again')) }],
  ['Import', 'undoing', '/imports/1', { ...member, override: ofImport('undoing') }],
  ['Import', 'undone', '/imports/1', { ...member, override: ofImport('undone') }],
  ['Import', 'which title', '/imports/1?tab=decide', { ...member, override: ofImport('ready') }],
  ['Import', 'not found, searching', '/imports/1?tab=decide&state=notFound', { ...member, override: ofImport('ready'), act: steps(press('Search for another'), (page) => page.locator('[data-search] input').fill('the'), (page) => page.locator('[data-search] li').first().waitFor()) }],
  ['Import', 'conflicts', '/imports/1?tab=decide&state=conflict', { ...member, override: ofImport('ready') }],
  ['Import', 'nothing to decide', '/imports/1?tab=decide', { ...member, override: { ...ofImport('ready'), 'imports.titles': { titles: [], pagination: pageOf(0) } } }],
  ['Import', 'questions failed', '/imports/1?tab=decide', { ...member, fail: /imports.titles/, override: ofImport('ready') }],
  ['Import', 'decision failed', '/imports/1?tab=decide', { ...member, ...over, fail: /imports.decide/, override: ofImport('ready'), act: press(/^Leave out/, 'Your decision was not saved') }],
  ['Import', 'all titles', '/imports/1?tab=titles', { ...member, override: ofImport('ready') }],
  ['Import', 'unreadable lines', '/imports/1?tab=titles&lines=unreadable', { ...member, override: ofImport('ready') }],
  ['Import', 'loading', '/imports/1', { ...member, hold: all }],
  ['Import', 'error', '/imports/1', { ...member, fail: all }],
  ['Import', 'not found', '/imports/999999', member],
  ['Settings', 'profile', '/settings', member],
  ['Settings', 'diary setting failed', '/settings', { ...member, fail: /diary/ }],
  ['Settings', 'nothing changed', '/settings', { ...member, act: press('Save changes', 'There are no changes to save.') }],
  ['Settings', 'profile, validation errors', '/settings', { ...member, act: steps(fill({ 'Display name': '', Email: 'nonsense' }), press('Save changes', 'Please enter a valid email address.')) }],
  ['Settings', 'profile, error', '/settings', { ...member, fail: all, act: see('Unable to load your profile') }],
  ['Settings', 'email change pending', '/settings', { ...member, override: { 'accounts.me': part('user', { pendingEmail: 'somebody.else@example.org' }) } }],
  ['Settings', 'confirm email', '/settings', { ...member, ...over, act: newEmail }],
  ['Settings', 'confirm email, validation error', '/settings', { ...member, ...over, act: steps(newEmail, press('Change email', 'Please enter your current password.')) }],
  ['Settings', 'account', '/settings?tab=account', member],
  ['Settings', 'account, validation errors', '/settings?tab=account', { ...member, act: press(/^(Change|Update|Save|Set) .*password$/i, 'Please fill in all password fields.') }],
  ['Settings', 'sessions loading', '/settings?tab=account', { ...member, hold: /Sessions/ }],
  ['Settings', 'sessions failed', '/settings?tab=account', { ...member, fail: /Sessions/ }],
  ['Settings', 'access tokens', '/settings?tab=account', { ...member, override: { 'accounts.listAccessTokens': tokens } }],
  ['Settings', 'new token', '/settings?tab=account', { ...member, ...over, act: steps(press('New token'), dialog) }],
  ['Settings', 'new token, validation errors', '/settings?tab=account', { ...member, ...over, act: steps(press('New token'), dialog, press('Create token', 'Please enter a name.')) }],
  ['Settings', 'new token, secret', '/settings?tab=account', { ...member, ...over, override: { 'accounts.createAccessToken': { token: tokens.tokens[0], secret: `mdl_${'qk1c3mYc0p8Q5m2m0zX1o3V7d9Jt4s6u8w0y2A4C6E8'}` } }, act: steps(press('New token'), dialog, (page) => page.getByRole('textbox', { name: 'Name' }).fill('Backup'), press('Create token', 'Copy your token now')) }],
  ['Settings', 'revoke a token', '/settings?tab=account', { ...member, ...over, override: { 'accounts.listAccessTokens': tokens }, act: steps(press(/^Revoke/), see('This cannot be undone.')) }],
  ['Settings', 'tokens loading', '/settings?tab=account', { ...member, hold: /AccessTokens/ }],
  ['Settings', 'tokens failed', '/settings?tab=account', { ...member, fail: /AccessTokens/ }],
  ['Settings', 'deletion scheduled', '/settings?tab=account', { ...member, override: { 'accounts.me': part('user', { deletionAt: '2026-12-24T12:00:00.000Z' }) } }],
  ['Settings', 'delete account', '/settings?tab=account', { ...member, ...over, act: steps(press('Delete my account'), dialog, see('What stays')) }],
  ['Settings', 'delete account, loading', '/settings?tab=account', { ...member, ...over, hold: /deletion/, act: steps(press('Delete my account'), dialog) }],
  ['Settings', 'delete account, failed', '/settings?tab=account', { ...member, ...over, fail: /deletion/, act: steps(press('Delete my account'), dialog, see('Try again')) }],
  ['Keep account', 'from the mail', '/keep-account?token=x'],
  ['Keep account', 'dead link', '/keep-account'],
  ['Settings', 'webhooks', '/settings?tab=account', { ...member, override: { 'webhooks.list': hooks } }],
  ['Settings', 'new webhook', '/settings?tab=account', { ...member, ...over, act: steps(press('New webhook'), dialog) }],
  ['Settings', 'new webhook, validation errors', '/settings?tab=account', { ...member, ...over, act: steps(press('New webhook'), dialog, press('Create webhook', 'Please enter an https URL')) }],
  ['Settings', 'new webhook, secret', '/settings?tab=account', { ...member, ...over, override: { 'webhooks.create': { webhook: hook, secret: `whsec_${'C2FVsBQIhrscChlQIMVb5sSYspob7oDRtXfmr6Xk5g0='}` } }, act: steps(press('New webhook'), dialog, (page) => page.getByRole('textbox', { name: 'URL' }).fill('https://example.org'), press('Create webhook', 'Copy the secret now')) }],
  ['Settings', 'deliveries', '/settings?tab=account', { ...member, ...over, override: { 'webhooks.list': hooks, 'webhooks.deliveries': deliveries }, act: steps(press(/^Deliveries/), see('Delivered (204)')) }],
  ['Settings', 'remove a webhook', '/settings?tab=account', { ...member, ...over, override: { 'webhooks.list': hooks }, act: steps(press(/^Remove https/), see('This cannot be undone.')) }],
  ['Settings', 'webhooks loading', '/settings?tab=account', { ...member, hold: /webhooks/ }],
  ['Settings', 'webhooks failed', '/settings?tab=account', { ...member, fail: /webhooks/ }],
  ['Settings', 'notifications', '/settings?tab=notifications', member],
  ['Create', 'chooser', '/create-item'],
  ['Create movie', 'untouched', '/create-item/movies', member],
  ['Create movie', 'filled', '/create-item/movies', { ...member, act: steps(fill({ 'Movie Name': longTitle }), choosePicture) }],
  ['Create movie', 'validation errors', '/create-item/movies', { ...member, act: press(/^Create/) }],
  ['Create game', 'untouched', '/create-item/games'],
]

function pageOf(total: number) {
  return { page: 1, pageSize: 24, total, totalPages: Math.ceil(total / 24) }
}

/** An import as the API returns it. */
function anImport(state: ImportState, change: object = {}) {
  const isOver = ['done', 'undoing', 'undone'].includes(state)
  const at = '2026-05-12T12:00:00.000Z'
  const ratings = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5].reverse()
  return {
    id: 1,
    service: 'letterboxd',
    fileName: 'letterboxd-maria-2026-05-12.zip',
    state,
    total: 1_600,
    done: 640,
    counts: {
      ...(isOver ? { taken: 1_204 } : { new: 1_190, newer: 14 }),
      ...(state === 'matching' && { pending: 960 }),
      ambiguous: 37,
      notFound: 12,
      conflict: 4,
      same: 310,
      unreadable: 2,
    },
    changes: isOver ? 0 : 1_204,
    createdAt: at,
    appliedAt: isOver ? at : null,
    undoneAt: state === 'undone' ? at : null,
    parts: { ratings: 1_100, reviews: 124, entries: 640, favorites: 4, titles: 0, follows: 0 },
    ratings: ratings.map((value, index) => ({
      given: `${value}/5`,
      stars: Math.max(1, Math.round(value)),
      isHalf: value % 1 !== 0,
      count: 20 + ((index * 67) % 190),
    })),
    withoutRating: 26,
    longTexts: 2,
    notKept: [
      { what: 'episodes', count: 312 },
      { what: 'lists', count: 6 },
    ],
    shelves: [],
    columns: [],
    missingKeys: ['TMDB'],
    waitingFor: null,
    nextAt: null,
    options: { ...defaultImportOptions, columns: { name: 'Title' } },
    ...change,
  }
}

/** The results of the calls of an import in a state. */
function ofImport(state: ImportState, change: object = {}) {
  const written = {
    rating: 5,
    ratingGiven: '4.5/5',
    text: 'Better than I remembered.',
    hasSpoilers: false,
    writtenOn: '2026-02-02T12:00:00.000Z',
    isFavorite: false,
    entries: [
      {
        status: 'finished',
        startedOn: null,
        finishedOn: '2026-02-01',
        isAgain: false,
        ratingGiven: null,
        text: '',
      },
    ],
  }
  const candidate = {
    title: null,
    kind: 'movie',
    name: 'Parasite',
    year: 2019,
    imageUrl: null,
    creators: ['Bong Joon-ho'],
    why: 'A year apart',
  }
  const title = {
    kind: 'movie',
    year: 2018,
    authors: [],
    state: 'ambiguous',
    reason: null,
    verdicts: { rating: 'conflict', review: 'conflict' },
    notes: ['The date of the rating is in the future and is left out.'],
    lines: [{ file: 'ratings.csv', line: 12 }],
    title: null,
    candidates: [
      candidate,
      { ...candidate, kind: 'tvShow', why: 'A TV show of this name and year' },
      candidate,
    ],
    theirs: written,
    mine: { ...written, rating: 3, ratingGiven: null, text: 'Slow.', writtenOn: '2026-05-12T12:00:00.000Z' },
    decision: null,
  }
  const titles = ['Parasite', longTitle, 'The Lighthouse'].map((name, at) => ({ ...title, id: at + 1, name }))
  const line = { id: 1, file: 'ratings.csv', line: 12, state: 'unreadable', name: '', titleId: null }
  return {
    'imports.byId': { import: anImport(state, change) },
    'imports.titles': { titles, pagination: pageOf(37) },
    'imports.lines': {
      lines: [
        { ...line, note: 'A quote is never closed.' },
        { ...line, id: 2, line: 40, note: 'The line has 3 of 7 columns.' },
      ],
      pagination: pageOf(2),
    },
    'imports.previewUndo': {
      removes: { reviews: 98, entries: 640, favorites: 4, titles: 0, follows: 0 },
      restores: 3,
      keeps: [],
      keepsCount: 2,
      later: 4,
      comments: 3,
    },
  }
}

function steps(...acts: Act[]): Act {
  return async (page) => {
    for (const act of acts) await act(page)
  }
}
function see(text: string | RegExp): Act {
  return (page) => page.getByText(text).filter({ visible: true }).first().waitFor()
}
function press(
  name: string | RegExp,
  then?: string | RegExp,
  role: Parameters<Page['getByRole']>[0] = 'button',
): Act {
  return async (page) => {
    await page.getByRole(role, { name }).filter({ visible: true }).first().click()
    if (then) await see(then)(page)
  }
}
function keys(key: string): Act {
  return (page) => page.keyboard.press(key)
}
function fill(fields: Record<string, string>): Act {
  return async (page) => {
    for (const [name, text] of Object.entries(fields))
      await page.locator('main').getByRole('textbox', { name, exact: true }).fill(text)
  }
}
function toHeading(name: string | RegExp): Act {
  return (page) => page.getByRole('heading', { name }).evaluate((heading) => heading.scrollIntoView())
}
function dialog(page: Page) {
  return page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor()
}
async function openMenu(page: Page) {
  await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .press('Enter')
  await page.getByRole('dialog').waitFor()
}

/** A route would not see a request that is sent when the page is left. */
function keepReviews(page: Page) {
  return page.evaluate(() => {
    const real = globalThis.fetch
    globalThis.fetch = (url, init) =>
      init?.method === 'DELETE' ? Promise.resolve(Response.json({})) : real(url, init)
  })
}
function offline(page: Page) {
  return page.context().setOffline(true)
}
function choosePicture(page: Page) {
  return page.locator('input[type=file]').setInputFiles('client/ui/icon.svg')
}
async function menu(page: Page) {
  const button = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  if (await button.isVisible()) await button.click()
}
async function suggest(page: Page) {
  const input = page.getByRole('banner').locator('input[type=search], input[role=combobox]').first()
  await input.focus()
  await page.getByRole('banner').getByRole('combobox').pressSequentially('the')
  await page.getByRole('option').nth(2).waitFor()
}

/** Returns a function that changes one object of a result. */
function part(name: string, change: object) {
  return (result: Record<string, object>) => ({ ...result, [name]: { ...result[name], ...change } })
}
/** Returns a function that changes each entry of a list of a result. */
function each(name: string, change: object) {
  return (result: Record<string, object[]>) => ({
    ...result,
    [name]: result[name]!.map((one) => ({ ...one, ...change })),
  })
}
/** Returns a result with empty lists, zero counts and no averages. */
function emptied(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return []
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, emptied(inner, name)]))
  if (/avg$/i.test(key)) return null
  return typeof value === 'number' && !/^(page|pageSize|id|year)$/.test(key) ? 0 : value
}

/** Fulfils a batch of calls with the results that the state prescribes. */
async function fulfil(route: Route, { hold, fail, empty, override = {}, arrive }: State): Promise<void> {
  const { pathname, searchParams } = new URL(route.request().url())
  const procedures = decodeURIComponent(pathname.slice('/trpc/'.length)).split(',')
  if (procedures[0] === 'reviews.live')
    // A 204 makes EventSource stop reconnecting.
    return route.fulfill(arrive ? { contentType: 'text/event-stream', body: arrivals } : { status: 204 })
  if (hold && procedures.some((name) => hold.test(name))) return
  const isMocked = (name: string) =>
    fail?.test(name) || (name in override && typeof override[name] !== 'function')
  const real = procedures.every(isMocked) ? [] : [await (await route.fetch()).json()].flat()
  const results = procedures.map((name, index): unknown => {
    if (fail?.test(name)) {
      const data = { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, path: name }
      return { error: { message: 'Something went wrong.', code: -32_603, data } }
    }
    const data = real[index]?.result?.data
    if (data === undefined && !isMocked(name)) return real[index]
    const given = override[name] ?? (empty?.test(name) ? emptied(data) : data)
    return { result: { data: typeof given === 'function' ? given(data) : given } }
  })
  await route.fulfill({ json: searchParams.has('batch') ? results : results[0] })
}
const arrivals = `data: ${JSON.stringify({
  ratings: { counts: { 1: 2, 2: 3, 3: 9, 4: 21, 5: 14 }, total: 49, avg: 3.8571 },
  reviews: [1, 2].map((n) => ({ id: 1_000_000 + n, userId: 1_000_000 + n, isListed: true })),
})}\n\n`

const site = values.url ? { url: values.url, stop: async () => {} } : await startSite()
const call = async (path: string, init?: RequestInit) => (await fetch(site.url + path, init)).json()
const session = await call('/auth/login', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
  },
  body: JSON.stringify({ email: 'demo@medley.example', password: 'medley-demo' }),
})
const shell = await (await fetch(`${site.url}/login`, { headers: { accept: 'text/html' } })).text()

/** Finds the most discussed movies: one that the member has reviewed, and one that the member has not rated. */
async function findPlaces(): Promise<Places> {
  const headers = { authorization: `Bearer ${session.token}` }
  const { popular } = await call('/movies/popular?days=365&limit=50')
  const movies = await Promise.all(
    popular.map(async ({ id }: { id: number }) => {
      const { review } = await call(`/reviews/mine?movieId=${id}`, { headers })
      const { reviews, pagination } = await call(`/reviews?movieId=${id}`)
      const isDiscussed = reviews.some((one: { commentCount: number }) => one.commentCount > 0)
      return { path: `/movies/${id}`, review, talk: isDiscussed ? pagination.total : 0 }
    }),
  )
  movies.sort((a, b) => b.talk - a.talk || a.path.localeCompare(b.path))
  const { results } = await call('/users/search?q=lantern')
  const written = movies.find(({ review }) => review?.text)
  return {
    me: session.user.id,
    other: results[0].id,
    mine: written.path,
    review: written.review.id,
    unrated: movies.find(({ review }) => review === undefined).path,
  }
}

type Shot = { name: string; file: string; faults: string[] }

/** Reaches a state at one width and takes its screenshots in both themes. */
async function take(
  browser: Browser,
  [screen, title, path, state = {}]: ReturnType<typeof statesAt>[number],
  width: (typeof widths)[number],
): Promise<Shot[]> {
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: width,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const faults: string[] = []
  const shots: Shot[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    // Some states expect the browser's error for a failed call, and the router's for the page that needed it.
    if (message.type() === 'error' && !/^Failed to load|^TRPCClientError|Network error/.test(message.text()))
      faults.push(message.text())
  })
  await page.exposeFunction('onViolation', (text: string) => void faults.push(text))
  await page.addInitScript(() => {
    const { onViolation } = globalThis as unknown as { onViolation: (text: string) => void }
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      onViolation(`${effectiveDirective} refuses ${blockedURI}`),
    )
  })
  if (state.member)
    await page.addInitScript(
      ([token, user]) => {
        localStorage.setItem('token', token!)
        localStorage.setItem('user', user!)
      },
      [session.token, JSON.stringify(session.user)],
    )
  // The page may be closed while a call is still being answered.
  await page.route(/\/trpc\//, (route) => fulfil(route, state).catch(() => {}))
  // A server-rendered page makes no calls that could be intercepted, so these states start from the app shell.
  if (state.hold || state.fail || state.empty || state.override)
    await page.route('**/*', (route) =>
      route.request().isNavigationRequest()
        ? route.fulfill({ contentType: 'text/html', body: shell })
        : route.fallback(),
    )
  try {
    await page.goto(path)
    if (state.hold === undefined || state.act) await settled(page)
    else await page.locator('.skeleton').first().waitFor()
    await state.act?.(page)
    // Moves the pointer away, so that nothing is hovered.
    await page.mouse.move(0, 0)
  } catch (error) {
    faults.push((error as Error).message.split('\n', 1)[0]!)
  }
  for (const theme of themes) {
    const name = `${screen} ${title} ${width.name} ${theme}`
    const file = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.png`
    await page.emulateMedia({ colorScheme: theme })
    faults.push(...(await quiet(page, !state.window)))
    await page.screenshot({ path: join(values.out, file), fullPage: !state.window })
    shots.push({ name: `${theme}, ${width.name}`, file, faults: [...new Set(faults.splice(0))] })
  }
  // With its routes: without them, calls that are held would go on to the server.
  await context.close()
  return shots
}

/** Waits until the page is hydrated and nothing is loading. */
async function settled(page: Page) {
  await page.waitForFunction(() => {
    const heading = document.querySelector('h1')
    const isLoading = document.querySelector('.skeleton, [aria-busy=true]') !== null
    // React adds such a property to every element that it has hydrated.
    return heading !== null && !isLoading && Object.keys(heading).some((key) => key.startsWith('__react'))
  })
}

/** Waits for pictures, fonts and animations, and returns the faults of the page. */
async function quiet(page: Page, fromTop: boolean): Promise<string[]> {
  return page.evaluate(async (isFromTop) => {
    if (isFromTop) scrollTo(0, 0)
    const load = (image: HTMLImageElement) => {
      image.loading = 'eager'
      const event = (name: string) => new Promise((resolve) => image.addEventListener(name, resolve))
      return image.complete || Promise.race([event('load'), event('error')])
    }
    await document.fonts.ready
    // Again until none is left: later responses add pictures while the first ones load.
    const isPending = () => [...document.images].some(({ complete }) => !complete)
    do await Promise.all([...document.images].map(load))
    while (isPending())
    // Scroll-driven animations never finish.
    const ending = document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline)
    await Promise.all(ending.map(({ finished }) => finished.catch(() => {})))
    const { scrollWidth, clientWidth } = document.documentElement
    const broken = navigator.onLine
      ? [...document.images].filter(({ naturalWidth }) => naturalWidth === 0)
      : []
    const headings = document.querySelectorAll('h1').length
    return [
      ...(scrollWidth > clientWidth ? [`scrolls horizontally by ${scrollWidth - clientWidth} px`] : []),
      ...broken.map(({ src }) => `broken picture ${src}`),
      ...(headings === 1 ? [] : [`${headings} main headings`]),
    ]
  }, fromTop)
}

const wanted = new RegExp(values.only, 'i')
const rows = statesAt(await findPlaces())
  .map((state) => ({ name: `${state[0]} · ${state[1]}`, state, shots: [] as Shot[] }))
  .filter(({ name }) => wanted.test(name))
if (!values.only) rmSync(values.out, { recursive: true, force: true })
mkdirSync(values.out, { recursive: true })
const browser = await chromium.launch({ executablePath: findChromium()!, args: ['--no-sandbox'] })
try {
  const waiting = rows.values()
  const work = async () => {
    for (const row of waiting)
      for (const width of widths) row.shots.push(...(await take(browser, row.state, width)))
  }
  await Promise.all([work(), work()])
} finally {
  await browser.close()
  await site.stop()
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const cell = ({ name, file, faults }: Shot) =>
  `<td><a href="${file}"><img src="${file}" loading="lazy" alt="${name}"></a>${faults.map((fault) => `<p>${escaped(fault)}</p>`).join('')}</td>`
const columns = widths.flatMap(({ name }) => themes.map((theme) => `<th>${theme}, ${name}</th>`)).join('')
writeFileSync(
  join(values.out, 'index.html'),
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Contact sheet</title>
<style>body{font:14px system-ui;margin:1rem}th,td{text-align:left;vertical-align:top;padding:.5rem}
thead th{position:sticky;top:0;background:#fff}p{color:#b00;max-width:20rem}
img{display:block;width:20rem;height:26rem;object-fit:contain;object-position:top left}</style>
<table><thead><tr><th>Screen · state</th>${columns}</tr></thead>
${rows.map(({ name, shots }) => `<tr><th>${escaped(name)}</th>${shots.map(cell).join('')}</tr>`).join('\n')}
</table></html>
`,
)
const faulty = rows.flatMap(({ name, shots }) =>
  shots.flatMap((shot) => shot.faults.map((fault) => `${name} (${shot.name}): ${fault}`)),
)
for (const fault of faulty) console.log(fault)
const pictures = rows.length * widths.length * themes.length
console.log(
  `${rows.length} states, ${pictures} screenshots, ${faulty.length} faults: ${join(values.out, 'index.html')}`,
)
if (faulty.length > 0) process.exitCode = 1
