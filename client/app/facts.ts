import { allKinds, partIdKeys } from '#shared/domain/kinds.ts'
import { procedurePath, queryInput } from './query-keys.ts'
import { getSession } from './session.ts'
import { queryClient, type RouterOutputs } from './trpc.ts'

type Router = keyof RouterOutputs
type PathIn<Name extends Router> = `${Name}.${(keyof RouterOutputs[Name] & string) | '*'}`
/** `title.byId` is `movies.byId`, `books.byId` …, `favorites.list` is `favoriteMovies.list` … */
type Path =
  | { [Name in Router]: PathIn<Name> }[Router]
  | `title.${keyof RouterOutputs['movies'] & string}`
  | `favorites.${keyof RouterOutputs['favoriteMovies'] & string}`

type Input = Record<string, unknown>
type Rule = {
  /** Undefined: all. */
  paths?: readonly Path[]
  except?: Path
  /** Whether a query with the input depends on the fact about `id`. */
  depends?: (input: Input, id: number | undefined) => boolean
  /** Refetched when its page is opened again, because nothing must move while the member presses something. */
  isLater?: true
  /** Queries that are not shown. */
  isInactive?: true
}

const isId = ({ id }: Input, about: number | undefined) => about === undefined || id === about
const isAboutTitle = (input: Input, id: number | undefined) =>
  id === undefined || ['id', 'itemId', ...allKinds.map(({ idKey }) => idKey)].some((key) => input[key] === id)
const isMine = ({ id }: Input) => id === getSession()?.user.id

const all = (...paths: Path[]): Rule => ({ paths })
const ofId = (...paths: Path[]): Rule => ({ paths, depends: isId })
const ofTitle = (...paths: Path[]): Rule => ({ paths, depends: isAboutTitle })
const ofPart = (...paths: Path[]): Rule => ({
  paths,
  depends: (input, id) => partIdKeys.some((key) => input[key] === id),
})
const mine = (...paths: Path[]): Rule => ({ paths, depends: isMine })
const later = (rule: Rule): Rule => ({ ...rule, isLater: true })

/** The diary follows the plays, and the progress in a show the diary. Texts are withheld from members who are not as far. */
const watched = all('diary.*', 'feed.following', 'lists.byId', 'reviews.*', 'progress.*')

const lists = all(
  'lists.mine',
  'lists.ofUser',
  'lists.search',
  'lists.followed',
  'lists.invitations',
  'lists.ofTitle',
)
const list = [lists, ofId('lists.byId')]
const network = [
  all(
    'title.networkHistogram',
    'title.networkRating',
    'title.networkRaters',
    'title.forYou',
    'favorites.network',
  ),
  { paths: ['reviews.list'], depends: ({ scope }) => scope === 'network' },
] satisfies Rule[]

/** The queries that depend on each fact. `id` says of which title, member, list or import it is. */
const facts = {
  /** The member's rating and review of a title. */
  rating: [
    ofTitle('title.ratingHistogram', 'title.overallRating', 'title.byId', 'items.byId', 'reviews.list'),
    all('reviews.byId', 'reviews.ofUser', 'reviews.histogramsOfUser', 'accounts.profile'),
    // How many of its titles the member has seen.
    all('lists.byId'),
    later(all('title.popular', 'title.forYou', 'social.suggestedPeople', 'imports.originals')),
  ],
  /** The member's rating and review of a season or an episode. */
  partRating: [all('reviews.*', 'progress.*')],
  /** Of the title or the episode with this id. */
  othersReview: [
    { ...later(ofTitle('reviews.list')), isInactive: true },
    { ...later(ofPart('reviews.list')), isInactive: true },
  ],
  /** The diary and the want list. */
  status: [watched],
  /** What the member watched of the show with this id. */
  progress: [watched, all('notifications.list')],
  favorite: [ofTitle('favorites.isFavorite'), mine('favorites.list', 'accounts.profile')],
  favoriteOrder: [mine('favorites.list')],
  /** Whether the member follows the one with this id. */
  follow: [
    ...network,
    mine('accounts.profile'),
    later(ofId('social.followers')),
    later(mine('social.following')),
  ],
  follower: [all('social.followers', 'privacy.requests'), mine('accounts.profile')],
  /** Blocks and mutes change what all queries return. */
  hiding: [{}],
  privacy: [all('accounts.profile', 'privacy.requests')],
  /** A list as cards show it. */
  lists: [lists],
  list,
  listTitles: [...list, ofId('lists.items')],
  import: [all('imports.list'), ofId('imports.titles', 'imports.lines', 'imports.lists')],
  /** The page keeps its questions in place. */
  importDecision: [all('imports.list'), ofId('imports.byId')],
  imported: [{ except: 'imports.*' }, all('imports.originals')],
  notification: [all('notifications.list')],
  catalogue: [all('items.list')],
  invite: [all('invites.*')],
  member: [all('admin.members'), ofId('admin.member')],
  /** A case, and what its decision does to a title. */
  case: [all('moderation.list', 'moderation.titles')],
  moderation: [all('moderation.*')],
  correctedTitle: [all('moderation.titles')],
  report: [all('moderation.myReports')],
  language: [all('accounts.languageSettings')],
  /** The country and the streaming services of the member. */
  watching: [all('offers.*', 'diary.list')],
  /** The ways to log in. */
  signIn: [all('accounts.signIn')],
  sessions: [all('accounts.listSessions')],
  accessTokens: [all('accounts.listAccessTokens')],
  calendarLink: [all('progress.calendarLink')],
  webhooks: [all('webhooks.list')],
  deliveries: [all('webhooks.deliveries')],
} satisfies Record<string, Rule[]>

export type Fact = keyof typeof facts

const aliases = new Map<string, string>(
  allKinds.flatMap(({ router, favorites }) => [
    [router, 'title'],
    [favorites.router, 'favorites'],
  ]),
)

function isPath(path: Path, queryKey: readonly unknown[]): boolean {
  const [router = '', procedure] = procedurePath(queryKey)?.split('.') ?? []
  return [router, aliases.get(router)].some((name) => path === `${name}.*` || path === `${name}.${procedure}`)
}

/** Says that a fact has changed: all queries that depend on it are outdated. Without an id, the queries of all titles, lists … */
export async function changed(fact: Fact, id?: number): Promise<void> {
  const rules: readonly Rule[] = facts[fact]
  await Promise.all(
    rules.map(({ paths, except, depends, isLater, isInactive }) =>
      queryClient.invalidateQueries({
        predicate: ({ queryKey }) =>
          (paths?.some((path) => isPath(path, queryKey)) ?? true) &&
          !(except && isPath(except, queryKey)) &&
          (depends?.((queryInput(queryKey) ?? {}) as Input, id) ?? true),
        ...(isLater && { refetchType: 'none' }),
        ...(isInactive && { type: 'inactive' }),
      }),
    ),
  )
}
