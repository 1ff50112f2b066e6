/** Limits and defaults that the server and the client share. Times are in milliseconds unless the name says otherwise. */

export const requestTimeoutMs = 30_000
export const retryDelayMs = 800
export const suggestionDelayMs = 300
/** A stream of live updates: the interval of the server's pings, and the silence after which the client reconnects. */
export const livePingMs = 15_000
export const liveSilenceMs = 40_000

export const usernameMax = 30
export const emailMax = 254
export const passwordMin = 6
export const passwordMax = 200

export const ratingMin = 1
export const ratingMax = 5
export const reviewTextMax = 10_000
export const commentTextMax = 2_000
/** The most parts of a title, or within a part, that a source may have. */
export const partsMax = 500
export const nameMax = 200
export const descriptionMax = 5_000
/** Of what members say about themselves. */
export const bioMax = 300
export const queryMax = 200

export const limitMax = 100
/** The highest page number: `OFFSET` reads and discards every row before the page. */
export const pageMax = 100_000
export const idsMax = 100
export const cursorMax = 200
export const genresMax = 100
/** An ISBN-13 has 13 digits and may have 4 hyphens. */
export const isbnMax = 17
export const olidMax = 18
/** Of any id of `idPatterns`. */
export const externalIdMax = 130

export const popularDays = 7
export const popularDaysMax = 365
export const popularLimit = 6
export const reviewsPageSize = 5
export const listPageSize = 24
/** The page size of comments; `before` requests the previous page. */
export const commentsMax = 50
export const feedLimit = 24
export const feedItemsWithRaters = 12
export const ratersLimit = 5
export const suggestedPeopleLimit = 6
export const similarTitlesLimit = 12
export const sameStoryMax = 12
/** The minimum number of titles in common for a taste match: fewer say too little. */
export const tasteMatchMin = 5
/** The maximum number of ratings of each member that a list of people compares. */
export const matchRatingsMax = 1_000
export const friendThresholds = [0, 2, 5] as const
/** The orders of For You; the first is the default. */
export const feedOrders = ['average', 'friends', 'match'] as const
export type FeedOrder = (typeof feedOrders)[number]
/** For You shows so many titles at first, and so many more with each step. */
export const feedPageSize = 24
export const searchLimit = 20
/** How many of the best matches are checked for titles that no external source has. */
export const localMatchesMax = 100
export const suggestionsLimit = 8
export const favoritesLimit = 100
/** The maximum number of favorites of a kind that a member can put in order. */
export const favoritesOrderMax = 100
/** A search in a library reads at most this many ratings, the newest ones. */
export const librarySearchMax = 20_000

export const snippetMax = 160

/** The characters of a time in ISO 8601, with milliseconds and a time zone. */
export const timeMax = 30
/** The first day that a diary accepts. */
export const diaryDateMin = '1870-01-01'
/** The maximum number of entries of a title in a response. */
export const diaryEntriesMax = 100
/** The maximum number of entries that the summary of a year counts. */
export const diaryYearMax = 10_000
/** The maximum number of titles that the summary of a year lists for display. */
export const yearTitlesMax = 60
/** The number of titles of the want list, the newest ones, from which one is picked. */
export const pickedFromMax = 1_000

export const listTitleMax = 100
export const listNoteMax = 500
export const listTagsMax = 10
export const listTagMax = 30
/** The maximum number of lists of a member, of titles of a list, and of its editors including those who are invited. */
export const listsMax = 500
export const listItemsMax = 5_000
export const listEditorsMax = 20
/** The length of the key of a link. */
export const listKeyMax = 64
/** The number of titles that show what a list is about. */
export const listPreviewMax = 5
/** Likes of these days make a list popular; at most this many lists are popular. */
export const listPopularDays = 30
export const listPopularMax = 500

export const uploadBytesMax = 5 * 1024 * 1024
/** The largest stored width of a picture uploaded without a login: enough for an avatar. */
export const anonymousUploadWidth = 320
/** The maximum number of invites of a member that can still be used. */
export const invitesMax = 5

export const bodyBytesMax = 1024 * 1024
/** How long an `Idempotency-Key` is stored. */
export const idempotencyHours = 24

export const verifyTokenHours = 24
export const resetTokenHours = 1
/** For so long after its use, an emailed link says what it has done. */
export const usedLinkDays = 30
/** How long after the verification of an email its login key logs in. */
export const loginKeyMinutes = 15
/** How long a challenge of the sign-up can be solved, and the maximum length of its solution. */
export const challengeMinutes = 10
export const proofMax = 2_000
export const sessionDays = 60
/** The maximum number of access tokens of a member, including expired ones. */
export const accessTokensMax = 50
export const accessTokenNameMax = 100
export const accessTokenYearsMax = 5
/** Accounts that are not verified after this time are deleted. */
export const unverifiedDays = 7
/** The time between a request to delete an account and its deletion, in which the member can cancel it. */
export const deletionGraceDays = 7

/** The retention of changes, and the maximum number per member and area. */
export const changeDays = 90
export const changesMax = 50_000

export const webhooksMax = 5
export const webhookUrlMax = 2_000
/** The retention of deliveries, and their maximum number per webhook. */
export const deliveryDays = 30
export const deliveriesMax = 1_000
/** The maximum number of deliveries in a response. */
export const deliveriesShown = 50

export const importFileBytesMax = 32 * 1024 * 1024
/** The maximum number of files in a zip, and of inflated bytes per file and in total. */
export const importZipEntriesMax = 2_000
export const importZipEntryBytesMax = 32 * 1024 * 1024
export const importZipBytesMax = 128 * 1024 * 1024
export const importLinesMax = 100_000
export const importFieldMax = 64 * 1024
/** The maximum number of shelves that a member decides about; at most 100 of a file are shown. */
export const importShelvesMax = 120
/** The maximum number of a member’s imports that are not applied yet, and of all imports. */
export const importsOpenMax = 3
export const importsMax = 50
/** The maximum number of titles that an import creates. */
export const importCreatedMax = 500
export const followingMax = 10_000
/** The maximum number of open follow requests by a member, and of members whom a member blocks, or mutes. */
export const followRequestsMax = 1_000
export const blocksMax = 5_000
/** How many of the people that a member follows, the last followed ones, are asked for ratings of many titles at once. */
export const networkAskedMax = 1_000
/** The maximum number of ratings or favorites of followed people that a call reads. On SQLite they block the event loop for about 50 ms. */
export const networkRowsMax = 200_000
/** The maximum number of follows that an import creates. */
export const importFollowsMax = 5_000

/** How long notifications are kept. */
export const notificationDays = 90
/** The maximum number of unread notifications that are counted. */
export const unreadMax = 100
/** The number of members that a notification names. */
export const actorsShown = 3
export const timeZoneMax = 64
export const unsubscribeTokenMax = 64
/** How long the link that ends the daily email works. */
export const unsubscribeDays = 60

/** The maximum number of reports of a member in 24 hours. */
export const reportsPerDay = 20
export const reportCommentMax = 1_000
export const decisionTextMax = 2_000
/** How long a decision can be undone and appealed; then what it removed is destroyed. */
export const appealDays = 30
/** The longest time that `removeAll` looks back. */
export const removeDaysMax = 3_650
/** The maximum number of reports of a case in a response. */
export const reportsShown = 100

/** The days of the diagrams for moderators. */
export const overviewDays = 90
/** A case that is open for longer is overdue. */
export const overdueDays = 3

// The settings of the site.
export const siteNameMax = 40
export const siteDescriptionMax = 300
export const siteRulesMax = 20
export const sitePageMax = 50_000
export const signUpReasonMax = 500
export const announcementMax = 300
