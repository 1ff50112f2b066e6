/** In milliseconds unless the name says otherwise. */

export const requestTimeoutMs = 30_000
export const retryDelayMs = 800
export const suggestionDelayMs = 300
/** The server's pings, and the silence after which the client reconnects. */
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
export const partsMax = 500
/** Of a season, and of a show. */
export const episodesMax = 20_000
export const partNumberMax = 999_999
/** Episodes that a call names. */
export const markedMax = 500
export const passesMax = 1_000
/** Of a member and a show: every call about the show reads them. */
export const showPlaysMax = 100_000
export const upNextPageSize = 12
export const calendarDaysMax = 366
export const calendarMax = 1_000
/** Of the file that calendar apps read. */
export const calendarFileDays = { before: 30, after: 180 }
export const nameMax = 200
export const descriptionMax = 5_000
export const bioMax = 300
export const queryMax = 200

export const limitMax = 100
/** `OFFSET` reads and discards every row before the page. */
export const pageMax = 100_000
export const idsMax = 100
export const cursorMax = 200
export const genresMax = 100
/** 13 digits and up to 4 hyphens. */
export const isbnMax = 17
export const olidMax = 18
export const externalIdMax = 130

export const popularDays = 7
export const popularDaysMax = 365
export const popularLimit = 6
export const reviewsPageSize = 5
export const listPageSize = 24
/** `before` requests the previous page. */
export const commentsMax = 50
export const feedLimit = 24
export const feedItemsWithRaters = 12
export const ratersLimit = 5
export const suggestedPeopleLimit = 6
export const similarTitlesLimit = 12
export const sameStoryMax = 12
/** Fewer titles in common say too little. */
export const tasteMatchMin = 5
export const matchRatingsMax = 1_000
export const friendThresholds = [0, 2, 5] as const
export const feedOrders = ['average', 'friends', 'match'] as const
export type FeedOrder = (typeof feedOrders)[number]
export const feedPageSize = 24
export const searchLimit = 20
/** The best matches that are checked for titles that no external source has. */
export const localMatchesMax = 100
export const suggestionsLimit = 8
export const favoritesLimit = 100
export const favoritesOrderMax = 100
export const librarySearchMax = 20_000

export const snippetMax = 160

export const timeMax = 30
export const diaryDateMin = '1870-01-01'
export const diaryEntriesMax = 100
/** Of one entry. */
export const stepsMax = 500
export const stepTextMax = 2_000
/** Pages, hours or minutes of a title whose length is not known. */
export const stepValueMax = 100_000
export const diaryYearMax = 10_000
export const yearTitlesMax = 60
export const pickedFromMax = 1_000

/** Streaming services of a member. */
export const subscriptionsMax = 100

export const listTitleMax = 100
export const listNoteMax = 500
export const listTagsMax = 10
export const listTagMax = 30
export const listsMax = 500
export const listItemsMax = 5_000
export const listEditorsMax = 20
export const listKeyMax = 64
export const listPreviewMax = 5
/** Likes of these days make a list popular. */
export const listPopularDays = 30
export const listPopularMax = 500

export const uploadBytesMax = 5 * 1024 * 1024
/** Of a picture uploaded without a login: enough for an avatar. */
export const anonymousUploadWidth = 320
export const invitesMax = 5

export const bodyBytesMax = 1024 * 1024
export const idempotencyHours = 24

export const verifyTokenHours = 24
export const resetTokenHours = 1
export const usedLinkDays = 30
export const loginKeyMinutes = 15
export const challengeMinutes = 10
export const proofMax = 2_000
/** How long a step of a login waits for the next one, and how long a member who has confirmed who they are is not asked again. */
export const signInStepMinutes = 10
export const confirmationMinutes = 10
/** How long a link of `medley login-link` works. */
export const loginLinkMinutes = 15
/** How long the code works that hands a login with a provider over to the page. */
export const providerCodeSeconds = 60
export const recoveryCodesCount = 10
export const passkeysMax = 20
export const passkeyNameMax = 60
export const sessionDays = 60
export const accessTokensMax = 50
export const accessTokenNameMax = 100
export const accessTokenYearsMax = 5
export const unverifiedDays = 7
export const deletionGraceDays = 7

export const changeDays = 90
export const changesMax = 50_000

export const webhooksMax = 5
export const webhookUrlMax = 2_000
export const deliveryDays = 30
export const deliveriesMax = 1_000
export const deliveriesShown = 50

export const importFileBytesMax = 32 * 1024 * 1024
/** Bytes are inflated, per file and in total. */
export const importZipEntriesMax = 2_000
export const importZipEntryBytesMax = 32 * 1024 * 1024
export const importZipBytesMax = 128 * 1024 * 1024
/** Lists in XML shrink to a twentieth; a file of zeros to a thousandth. */
export const importGzipRatioMax = 200
export const importLinesMax = 100_000
export const importFieldMax = 64 * 1024
/** Decided by the member; at most 100 of a file are shown. */
export const importShelvesMax = 120
export const importsOpenMax = 3
export const importsMax = 50
export const importCreatedMax = 500
export const followingMax = 10_000
export const followRequestsMax = 1_000
export const blocksMax = 5_000
/** The last followed people, who are asked for ratings of many titles at once. */
export const networkAskedMax = 1_000
/** Of followed people; on SQLite they block the event loop for about 50 ms. */
export const networkRowsMax = 200_000
export const importFollowsMax = 5_000

export const notificationDays = 90
export const unreadMax = 100
export const actorsShown = 3
export const timeZoneMax = 64
export const unsubscribeTokenMax = 64
export const unsubscribeDays = 60

export const reportsPerDay = 20
export const reportCommentMax = 1_000
export const decisionTextMax = 2_000
/** Then what a decision removed is destroyed. */
export const appealDays = 30
export const removeDaysMax = 3_650
export const reportsShown = 100

export const overviewDays = 90
export const overdueDays = 3

export const siteNameMax = 40
export const siteDescriptionMax = 300
export const siteRulesMax = 20
export const sitePageMax = 50_000
export const signUpReasonMax = 500
export const announcementMax = 300
