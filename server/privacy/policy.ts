/** Who sees what of a member: the data of docs/privacy.md, and of the test that calls every read as each of these viewers. */

export const viewers = {
  visitor: 'visitor',
  stranger: 'other member',
  requested: 'asks to follow',
  follower: 'follower',
  muting: 'follower who muted',
  blocked: 'blocked, or blocks',
  moderator: 'moderator',
  owner: 'oneself',
} as const
type Viewer = keyof typeof viewers
type Who = readonly Viewer[]

const everybody = Object.keys(viewers) as Viewer[]
const without = (who: Who, ...others: Viewer[]) => who.filter((one) => !others.includes(one))
const open = without(everybody, 'blocked')
const listed = without(open, 'muting')
const accepted: Who = ['follower', 'muting', 'owner']
const acceptedListed: Who = ['follower', 'owner']

/**
 * `reads` are procedures and addresses; a word in parentheses tells two inputs of a procedure apart. The procedures of movies and of their
 * favorites stand for those of all kinds. `sign` is what of the response shows that the viewer sees it. `public` and `private` are those who
 * see it if the member is public, or private.
 */
export type Rule = { what: string; reads: readonly string[]; sign: string; public: Who; private: Who }

export const rules: readonly Rule[] = [
  {
    what: 'Name, picture and counts on the profile',
    reads: ['accounts.profile (name)'],
    sign: 'name',
    public: everybody,
    private: everybody,
  },
  {
    what: 'Name in the search for members, and among the followers of others',
    reads: ['social.searchUsers', 'social.followers (of others)', 'social.following (of others)'],
    sign: 'name',
    public: open,
    private: open,
  },
  {
    what: 'What the member says about themselves',
    reads: ['accounts.profile (bio)'],
    sign: 'bio',
    public: open,
    private: accepted,
  },
  {
    what: 'Reviews among those of a title, and comments on reviews of others',
    reads: ['reviews.list', 'reviews.ofItem', 'reviews.comments'],
    sign: 'text',
    public: listed,
    private: acceptedListed,
  },
  {
    what: 'One review, and the library',
    reads: ['reviews.byId', 'reviews.ofUser'],
    sign: 'text',
    public: open,
    private: accepted,
  },
  {
    what: 'The library, as the server renders it for a member',
    reads: ['GET the rendered library'],
    sign: 'text',
    public: without(open, 'visitor'),
    private: accepted,
  },
  {
    what: 'The distribution of the ratings',
    reads: ['reviews.histogramsOfUser'],
    sign: 'distribution',
    public: open,
    private: accepted,
  },
  {
    what: 'Favorites, and the public diary',
    reads: ['favoriteMovies.list', 'diary.ofUser', 'diary.year'],
    sign: 'title',
    public: open,
    private: accepted,
  },
  {
    what: 'Whether the diary is shared with the viewer',
    reads: ['diary.isVisible'],
    sign: 'isVisible',
    public: open,
    private: accepted,
  },
  {
    what: 'Public lists on the profile, and by their address',
    reads: ['lists.byId', 'lists.ofUser'],
    sign: 'list',
    public: open,
    private: accepted,
  },
  {
    what: 'Public lists among those that the viewer follows',
    reads: ['lists.followed'],
    sign: 'list',
    public: without(open, 'visitor', 'owner'),
    private: ['follower', 'muting'],
  },
  {
    what: 'The titles of a public list',
    reads: ['lists.items'],
    sign: 'title',
    public: open,
    private: accepted,
  },
  {
    what: 'Public lists in searches and with a title',
    reads: ['lists.search', 'lists.ofTitle'],
    sign: 'list',
    public: listed,
    private: acceptedListed,
  },
  {
    what: 'Name among the editors of a list of another member, and beside the titles that they added there',
    reads: ['lists.byId (edited)', 'lists.items (edited)'],
    sign: 'name',
    public: open,
    private: accepted,
  },
  {
    what: 'Whom the member follows, and the followers, unless the member hides them',
    reads: ['social.followers', 'social.following'],
    sign: 'known',
    public: open,
    private: accepted,
  },
  {
    what: 'A comparison of tastes with the member',
    reads: ['social.tasteMatch', 'social.tasteMatches'],
    sign: 'common',
    public: without(open, 'visitor', 'owner'),
    private: without(accepted, 'owner'),
  },
  {
    what: 'Suggestions of members, unless the member does not want to be suggested',
    reads: ['social.suggestedPeople'],
    sign: 'name',
    public: ['stranger', 'moderator'],
    private: [],
  },
  {
    what: 'The most similar year, unless the member does not want to be suggested',
    reads: ['diary.yearTwin'],
    sign: 'name',
    public: without(listed, 'owner'),
    private: ['follower'],
  },
  {
    what: 'Ratings and names in what the viewer’s network rated, in the feed and in For You',
    reads: ['movies.networkRaters', 'reviews.networkFor'],
    sign: 'name',
    public: ['follower'],
    private: ['follower'],
  },
  {
    what: 'Reviews in the feed and among those of the network',
    reads: ['feed.following', 'reviews.list (network)'],
    sign: 'text',
    public: ['follower'],
    private: ['follower'],
  },
  {
    what: 'Titles in For You and among the favorites of the network',
    reads: ['movies.forYou', 'favoriteMovies.network', 'items.list (network)'],
    sign: 'title',
    public: ['follower'],
    private: ['follower'],
  },
  {
    what: 'The rating in the averages of the network',
    reads: ['movies.networkRating', 'movies.networkHistogram'],
    sign: 'one',
    public: ['follower'],
    private: ['follower'],
  },
  {
    what: 'The rating in averages, histograms and counts, without the name',
    reads: ['movies.overallRating', 'movies.ratingHistogram'],
    sign: 'two',
    public: everybody,
    private: everybody,
  },
  {
    what: 'What the member writes to the viewer: comments on the viewer’s review, also as events of webhooks',
    reads: ['reviews.comments (own)', 'webhooks'],
    sign: 'reply',
    public: without(listed, 'visitor', 'owner'),
    private: without(listed, 'visitor', 'owner'),
  },
  {
    what: 'Name in the notification of such a comment, and in the event of a webhook about a reaction to the viewer’s review',
    reads: ['notifications.list', 'webhooks (reaction)'],
    sign: 'name',
    public: without(listed, 'visitor', 'owner'),
    private: without(listed, 'visitor', 'owner'),
  },
  {
    what: 'The notifications of both in the number of unread ones, also in the live stream',
    reads: ['notifications.countUnread', 'notifications.live', 'GET /notifications/live'],
    sign: 'unread',
    public: without(listed, 'visitor', 'owner'),
    private: without(listed, 'visitor', 'owner'),
  },
  {
    what: 'Name of the author of a review that the viewer likes, in the viewer’s export',
    reads: ['GET /export'],
    sign: 'author',
    public: without(open, 'visitor', 'owner'),
    private: ['follower', 'muting'],
  },
  {
    what: 'Name in the viewer’s change feed, after the viewer has followed the member',
    reads: ['changes.list'],
    sign: 'name',
    public: accepted,
    private: accepted,
  },
  {
    what: 'Atom feeds, embeddings, pages as link previews and search engines read them: the same for all, whatever their token',
    reads: [
      'GET reviews.atom of the member',
      'GET reviews.atom of the title',
      'GET oembed of the review',
      'GET the page of the review',
      'GET the page of the title',
    ],
    sign: 'text',
    public: everybody,
    private: [],
  },
  {
    what: 'A new review in the live updates of its title, by its id: as above',
    reads: ['reviews.live'],
    sign: 'live',
    public: everybody,
    private: [],
  },
  {
    what: 'Feeds, embeddings and pages of lists: as above',
    reads: ['GET the feed of the list', 'GET oembed of the list', 'GET the page of the list'],
    sign: 'list',
    public: everybody,
    private: [],
  },
  {
    what: 'Name in link previews of the profile and of a year: as above',
    reads: ['GET the page of the member', 'GET the page of the year'],
    sign: 'name',
    public: everybody,
    private: [],
  },
  {
    what: 'Share pictures, and lists in the sitemap: as above',
    reads: [
      'GET the picture of the review',
      'GET the picture of the list',
      'GET the picture of the favorites',
      'GET the picture of the year',
      'GET the sitemap of lists',
    ],
    sign: 'exists',
    public: everybody,
    private: [],
  },
]

/** Reads that return nothing of other members, or only to those who have a role, by the reason. */
export const others: Record<string, readonly string[]> = {
  'The catalogue and its numbers. The name of the member whose import added a title is shown as visitors see it.':
    [
      'movies.popular',
      'movies.byId',
      'movies.similar',
      'movies.sameStory',
      'movies.existsByTmdb',
      'movies.existsByIsbn',
      'movies.existsByOlid',
      'movies.existsByIgdb',
      'movies.search',
      'items.list',
      'items.genres',
      'items.search',
      'items.byId',
      'sources.search',
      'sources.searchTmdb',
      'sources.searchBooks',
      'sources.searchGames',
    ],
  'The caller’s own data, with the names of those whom the caller has dealt with: lists that both edit, blocks, requests, invites.':
    [
      'accounts.me',
      'accounts.listSessions',
      'accounts.deletion',
      'accounts.listAccessTokens',
      'reviews.mine',
      'reviews.snapshot',
      'reviews.ofMe',
      'reviews.mineFor',
      'diary.list',
      'diary.mine',
      'diary.marks',
      'diary.pick',
      'diary.visibility',
      'lists.mine',
      'lists.invitations',
      'imports.list',
      'imports.byId',
      'imports.titles',
      'imports.lines',
      'imports.lists',
      'imports.previewUndo',
      'changes.activity',
      'webhooks.list',
      'webhooks.deliveries',
      'social.followStatus',
      'privacy.get',
      'privacy.blocks',
      'privacy.mutes',
      'privacy.requests',
      'favoriteMovies.isFavorite',
      'invites.list',
      'invites.find',
      'moderation.myReports',
      'moderation.myDecisions',
      'moderation.myDecision',
      'notifications.settings',
    ],
  'The site itself.': ['site.get', 'site.page', 'site.settings', 'accounts.challenge'],
  'For moderators and admins, whatever the privacy of a member.': [
    'admin.overview',
    'invites.listAll',
    'admin.audit',
    'admin.members',
    'admin.member',
    'moderation.list',
    'moderation.byId',
    'moderation.titles',
  ],
}

/** Returns docs/privacy.md. */
export function describePolicy(): string {
  const table = (state: 'public' | 'private') => {
    const shown = (Object.keys(viewers) as Viewer[]).filter(
      (viewer) => state === 'private' || viewer !== 'requested',
    )
    const heads = shown.map((viewer) => ` ${viewers[viewer]} |`).join('')
    const lines = rules.map((rule) => {
      const cells = shown.map((viewer) => (rule[state].includes(viewer) ? ' yes |' : ' – |')).join('')
      return `| ${rule.what} |${cells}\n`
    })
    return `| what |${heads}\n| --- |${' --- |'.repeat(shown.length)}\n${lines.join('')}`
  }
  return `# Privacy

Who sees what of a member. \`server/db/visibility.ts\` decides it in one place, and every query has its condition. This page is generated from
\`server/privacy/policy.ts\`; a test calls every read as each of the viewers below and compares the result with these tables.

- A **private** member accepts or rejects each new follower. What they write is for accepted followers; their ratings count for everybody,
  without the name. Present followers stay when a member becomes private, and all requests are accepted when the member becomes public.
- A **block** ends follows, requests and shared lists in both directions, and hides two members from each other. To the one who is blocked, the
  profile looks like a private one. Unblocking restores nothing.
- A **mute** changes only the lists, the feed and the notifications of the member who mutes. The pages of the muted member stay open to them.
- Averages, histograms and numbers of ratings, reviews and comments are the same for everybody. A page of reviews can therefore be shorter
  than its number says.
- A list that its owner shares by a link is open to everybody who has the link, and to members who follow it with this link, unless one of
  them has blocked the other. Editors of a list read it, and see each other.
- Private lists and diaries are for their owners only, and those for followers only for followers.
- A member can preview their own profile as a visitor, and as a follower: a read with their token and the header \`Medley-Preview: follower\`
  returns what a follower of theirs sees who follows nobody else. Nothing can be changed with it, and nothing of the member’s own is read.

## Of a public member

${table('public')}
## Of a private member

${table('private')}
## Other reads

${Object.keys(others)
  .map((reason) => `- ${reason}\n`)
  .join('')}`
}
