/** The sections of the API document, in order. */
export const tags = {
  Accounts: 'Registration, email verification, sessions, profile and password.',
  Movies: 'Popular movies, a single movie, and its ratings by all members or by those the caller follows.',
  'TV shows': 'The same for TV shows.',
  Books: 'The same for books.',
  Games: 'The same for video games.',
  Items:
    'The whole catalogue regardless of kind. An item has the same id as its movie, TV show, book or game.',
  Reviews:
    'Ratings with or without a text, reactions and comments. A member has at most one review of a title. A rating without a text is a review with a blank text: it counts, but only the list of what one member rated contains it.',
  Diary:
    'What a member wants to watch, read or play, has started, finished or dropped, with dates. A diary is private unless its owner shows it to followers or to everyone.',
  Social: 'Follows. The people a member follows are their network.',
  Favorites: 'The favorites of members, by kind.',
  'Search and sync':
    'Searches of the local catalogue and of the external sources (TMDB, Open Library, IGDB), and the calls that add a title from there.',
  Uploads: 'Pictures.',
  Operations: 'Health checks for operators.',
}

const integer = { type: 'integer', format: 'int32', minimum: 0 }

/** The response headers of the API document. */
export const headers = {
  'RateLimit-Limit': { description: 'Calls that are allowed per window.', schema: integer, example: 300 },
  'RateLimit-Remaining': {
    description: 'Calls that are left in this window.',
    schema: integer,
    example: 297,
  },
  'RateLimit-Reset': { description: 'Seconds until the window ends.', schema: integer, example: 41 },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { ...integer, minimum: 1 },
    example: 30,
  },
  Link: {
    description:
      'The next page of a list, as a reference relative to the request (RFC 8288). Missing on the last page.',
    schema: { type: 'string' },
    example: '<?limit=24&page=2>; rel="next"',
  },
  ETag: {
    description:
      'Identifies the content of a response to a request without a token. Send it as `If-None-Match`: a 304 says that nothing has changed.',
    schema: { type: 'string' },
    example: 'W/"6Jq0w1mXb0cGq3rT5uYzPA"',
  },
} satisfies Record<string, { description: string; required?: boolean; schema: object; example: unknown }>
export type HeaderName = keyof typeof headers

export const rateLimitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

export const description = `A social catalogue of movies, TV shows, books and video games. Everything the web app does is available through these calls.

**JSON or HTML.** Some paths are also pages of the web app. A \`GET\` whose \`Accept\` header names \`text/html\`, and does not prefer JSON, returns the page; every other request returns JSON. Send \`Accept: application/json\`, or no \`Accept\` header. Link previews (Slackbot, WhatsApp, Mastodon and others, by \`User-Agent\`) get the page unless they name \`application/json\`. Pages that are no REST paths, such as \`/\`, are sent to every client that accepts HTML, also by \`*/*\`.

**Request bodies** are JSON in UTF-8 (\`Content-Type: application/json\`), 1 MB at most. Undocumented fields are ignored. Every \`GET\` except \`/auth/verify-email\` can be sent as a \`HEAD\`.

**Authentication.** \`POST /auth/login\` returns a token; send it as \`Authorization: Bearer …\`. Where no token is required, an invalid token is treated as none.

**Errors** have the schema \`ApiError\` on every call. An unknown path or method returns 404, a malformed HTTP request 400, oversized headers 431, and a request that takes more than 30 seconds to arrive 408. Every response carries \`X-Request-Id\`.

**Rate limits.** Calls are counted by address, and for members also by account. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` show the remaining quota. A 429 response carries \`Retry-After\`. After a 5xx response, retry once after a second.

**Values.** Ids are positive integers. Times are ISO 8601 in UTC with milliseconds. Averages have four decimals and are null if there are no ratings. Unknown values are null; lists are never null. Pictures are paths on this host, or https URLs of an external source. Text is plain text, never HTML: trimmed, in Unicode NFC, and without control characters other than the line break. Lengths are counted after this normalization.

**Lists.** \`limit\` ranges from 1 to 100 and \`page\` starts at 1; anything else is 400. Some lists have a \`cursor\` instead of a page: send the \`nextCursor\` of a page to get the next one. In both, the header \`Link\` has the address of the next page. Cursors are opaque; one of another list or sort is 400.

**Compatibility.** Additions are not breaking: new calls, optional parameters, properties of responses, values of enumerations and headers. Ignore what you do not know. What goes away is announced in the [changelog](/docs/changelog), and its responses carry \`Deprecation\` and \`Sunset\` for at least six months before.`
