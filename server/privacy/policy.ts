/** For docs/privacy.md, and for the test that calls every read as each of these viewers. */

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
 * For a public and a private member. Procedures name the rule in their meta; `reads` are what else shows it. `sign` tells the test that the
 * viewer sees it.
 */
export type Rule = {
  what: string
  reads?: readonly string[]
  sign: string
  public: Who
  private: Who
  /** All callers get what visitors get. */
  isForVisitors?: boolean
}

export const rules = {
  profile: {
    what: 'Name, picture and counts on the profile',
    sign: 'name',
    public: everybody,
    private: everybody,
  },
  names: {
    what: 'Name in the search for members, and among the followers of others',
    sign: 'name',
    public: open,
    private: open,
  },
  bio: {
    what: 'What the member says about themselves',
    sign: 'bio',
    public: open,
    private: accepted,
  },
  reviews: {
    what: 'Reviews on the page of a title, and comments on reviews of others',
    sign: 'text',
    public: listed,
    private: acceptedListed,
  },
  library: {
    what: 'One review, and the library',
    sign: 'text',
    public: open,
    private: accepted,
  },
  renderedLibrary: {
    what: 'The library, as the server renders it for a member',
    reads: ['GET the rendered library'],
    sign: 'text',
    public: without(open, 'visitor'),
    private: accepted,
  },
  distribution: {
    what: 'The distribution of the ratings',
    sign: 'distribution',
    public: open,
    private: accepted,
  },
  favorites: {
    what: 'Favorites, and the public diary',
    sign: 'title',
    public: open,
    private: accepted,
  },
  sharedDiary: {
    what: 'Whether the diary is shared with the viewer',
    sign: 'isVisible',
    public: open,
    private: accepted,
  },
  lists: {
    what: 'Public lists on the profile, and by their address',
    sign: 'list',
    public: open,
    private: accepted,
  },
  followedLists: {
    what: 'Public lists among those that the viewer follows',
    sign: 'list',
    public: without(open, 'visitor', 'owner'),
    private: ['follower', 'muting'],
  },
  listItems: {
    what: 'The titles of a public list',
    sign: 'title',
    public: open,
    private: accepted,
  },
  foundLists: {
    what: 'Public lists in searches and with a title',
    sign: 'list',
    public: listed,
    private: acceptedListed,
  },
  editors: {
    what: 'Name among the editors of a list of another member, and beside the titles that they added there',
    sign: 'name',
    public: open,
    private: accepted,
  },
  follows: {
    what: 'Whom the member follows, and the followers, unless the member hides them',
    sign: 'known',
    public: open,
    private: accepted,
  },
  taste: {
    what: 'A comparison of tastes with the member',
    sign: 'common',
    public: without(open, 'visitor', 'owner'),
    private: without(accepted, 'owner'),
  },
  suggestions: {
    what: 'Suggestions of members, unless the member does not want to be suggested',
    sign: 'name',
    public: ['stranger', 'moderator'],
    private: [],
  },
  twin: {
    what: 'The most similar year, unless the member does not want to be suggested',
    sign: 'name',
    public: without(listed, 'owner'),
    private: ['follower'],
  },
  networkRatings: {
    what: 'Ratings and names in what the viewer’s network rated, in the feed and in For You',
    sign: 'name',
    public: ['follower'],
    private: ['follower'],
  },
  networkReviews: {
    what: 'Reviews in the feed and in the lists of the network',
    sign: 'text',
    public: ['follower'],
    private: ['follower'],
  },
  networkTitles: {
    what: 'Titles in For You and among the favorites of the network',
    sign: 'title',
    public: ['follower'],
    private: ['follower'],
  },
  networkAverages: {
    what: 'The rating in the averages of the network',
    sign: 'one',
    public: ['follower'],
    private: ['follower'],
  },
  averages: {
    what: 'The rating in averages, histograms and counts, without the name',
    sign: 'two',
    public: everybody,
    private: everybody,
  },
  replies: {
    what: 'What the member writes to the viewer: comments on the viewer’s review, also as events of webhooks',
    reads: ['webhooks'],
    sign: 'reply',
    public: without(listed, 'visitor', 'owner'),
    private: without(listed, 'visitor', 'owner'),
  },
  replyNames: {
    what: 'Name in the notification of such a comment, and in the event of a webhook about a reaction to the viewer’s review',
    reads: ['webhooks (reaction)'],
    sign: 'name',
    public: without(listed, 'visitor', 'owner'),
    private: without(listed, 'visitor', 'owner'),
  },
  unread: {
    what: 'The notifications of both in the number of unread ones, also in the live stream',
    reads: ['GET /notifications/live'],
    sign: 'unread',
    public: without(listed, 'visitor', 'owner'),
    private: without(listed, 'visitor', 'owner'),
  },
  likedAuthors: {
    what: 'Name of the author of a review that the viewer likes, in the viewer’s export',
    reads: ['GET /export'],
    sign: 'author',
    public: without(open, 'visitor', 'owner'),
    private: ['follower', 'muting'],
  },
  followed: {
    what: 'Name in the viewer’s change feed, after the viewer has followed the member',
    sign: 'name',
    public: accepted,
    private: accepted,
  },
  feeds: {
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
    isForVisitors: true,
  },
  liveReviews: {
    what: 'A new review in the live updates of its title, by its id: as above',
    sign: 'live',
    public: everybody,
    private: [],
  },
  listPages: {
    what: 'Feeds, embeddings and pages of lists: as above',
    reads: ['GET the feed of the list', 'GET oembed of the list', 'GET the page of the list'],
    sign: 'list',
    public: everybody,
    private: [],
  },
  memberPages: {
    what: 'Name in link previews of the profile and of a year: as above',
    reads: ['GET the page of the member', 'GET the page of the year'],
    sign: 'name',
    public: everybody,
    private: [],
  },
  sharePictures: {
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
} as const satisfies Record<string, Rule>
export type RuleName = keyof typeof rules

/** The texts of reviews and comments, which their authors may withhold from those who are not as far in the title. */
export const showsTexts = ({ sign }: Rule) => sign === 'text' || sign === 'reply'

/** Of a public member. */
export function readersOf({ public: who, isForVisitors = false }: Rule, isThere: boolean): Who {
  if (isForVisitors) return []
  return isThere ? without(who, 'visitor') : who.filter((one) => one === 'moderator' || one === 'owner')
}

/** They return nothing of other members, or only to those who have a role. */
const otherReads = {
  catalogue:
    'The catalogue and its numbers. The name of the member whose import added a title is shown as visitors see it.',
  own: 'The caller’s own data, with the names of those whom the caller has dealt with: lists that both edit, blocks, requests, invites.',
  site: 'The site itself.',
  staff: 'For moderators and admins, whatever the privacy of a member.',
}
export type ReturnedData = RuleName | keyof typeof otherReads

export function describePolicy(): string {
  const table = (state: 'public' | 'private') => {
    const shown = (Object.keys(viewers) as Viewer[]).filter(
      (viewer) => state === 'private' || viewer !== 'requested',
    )
    const heads = shown.map((viewer) => ` ${viewers[viewer]} |`).join('')
    const lines = Object.values<Rule>(rules).map((rule) => {
      const cells = shown.map((viewer) => (rule[state].includes(viewer) ? ' yes |' : ' – |')).join('')
      return `| ${rule.what} |${cells}\n`
    })
    return `| what |${heads}\n| --- |${' --- |'.repeat(shown.length)}\n${lines.join('')}`
  }
  const texts = Object.values<Rule>(rules).filter(showsTexts)
  const cell = (rule: Rule, isThere: boolean) =>
    readersOf(rule, isThere)
      .filter((viewer) => viewer !== 'requested')
      .map((viewer) => viewers[viewer])
      .join(', ') || '–'
  const textLines = texts.map((rule) => `| ${rule.what} | ${cell(rule, false)} | ${cell(rule, true)} |\n`)
  return `# Privacy

Who sees what of a member. \`server/members/visibility.ts\` decides it in one place, and every query has its condition. This page is generated from
\`server/privacy/policy.ts\`; a test calls every read as each of the viewers below and compares the result with these tables.

- A **private** member accepts or rejects each new follower. What they write is for accepted followers; their ratings count for everybody,
  without the name. Present followers stay when a member becomes private, and all requests are accepted when the member becomes public.
- A **block** ends follows, requests and shared lists in both directions, and hides two members from each other. To the one who is blocked, the
  profile looks like a private one. Unblocking restores nothing.
- A **mute** hides a member where the member who mutes reads what several members write or rated: in lists, searches, the feed, the network
  with its averages, suggestions and notifications. The pages of the muted member, and averages of everybody, stay as they are.
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
## Of a text that its author withholds

An author can withhold a review or a comment until its reader has seen an episode, or has logged a page or a percentage of the title.
\`server/members/withheld.ts\` decides it in the query that reads the text. Until then the text is blank wherever it would be, and stars and names stay.
Visitors never are there, nor is anything that is the same for all. A reader who asks for one text by \`reveal\` gets it in that response only.
These may read the text of a public member:

| what | if they are not there | once they are |
| --- | --- | --- |
${textLines.join('')}
## Other reads

${Object.values(otherReads)
  .map((reason) => `- ${reason}\n`)
  .join('')}`
}
