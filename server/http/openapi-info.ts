/** The sections of the API document, in order. */
export const tags = {
  Accounts: 'Registration, email verification, sessions, access tokens, profile and password.',
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
  Changes: 'What the caller changed, for clients that keep a copy of their member’s data.',
  Webhooks: 'URLs of the caller that are called when something changes.',
  Social: 'Follows. The people a member follows are their network.',
  Favorites: 'The favorites of members, by kind.',
  'Search and sync':
    'Searches of the local catalogue and of the external sources (TMDB, Open Library, IGDB), and the calls that add a title from there.',
  Uploads: 'Pictures.',
  Operations: 'Health checks for operators.',
}

export const description = `A social catalogue of movies, TV shows, books and video games. Everything the web app does is available through these calls.

**JSON or HTML.** Some paths are also pages of the web app. A \`GET\` whose \`Accept\` header names \`text/html\`, and does not prefer JSON, returns the page; every other request returns JSON. Send \`Accept: application/json\`, or no \`Accept\` header. Link previews (Slackbot, WhatsApp, Mastodon and others, by \`User-Agent\`) get the page unless they name \`application/json\`. Pages that are no REST paths, such as \`/\`, are sent to every client that accepts HTML, also by \`*/*\`.

**Request bodies** are JSON in UTF-8 (\`Content-Type: application/json\`), 1 MB at most. Undocumented fields are ignored. Every \`GET\` except \`/auth/verify-email\` can be sent as a \`HEAD\`.

**Authentication.** \`POST /auth/login\` returns a token; send it as \`Authorization: Bearer …\`. Where no token is required, an invalid token is treated as none. A 401 carries \`WWW-Authenticate\`.

**Access tokens.** A program that acts for a member uses a personal access token: the member creates it in Settings and chooses its scopes. The security of each call names the scope that it requires; without it, the call is a 403 with the reason \`INSUFFICIENT_SCOPE\`, and \`WWW-Authenticate\` names the scope. That includes calls that work without a token but respond differently with one. The calls for the password, the email, sessions and access tokens require a login; with an access token they are a 403 with the reason \`SESSION_REQUIRED\`.

**Errors** have the schema \`Error\` on every call. An unknown path or method returns 404, a malformed HTTP request 400, oversized headers 431, and a request that takes more than 30 seconds to arrive 408. Every response carries \`X-Request-Id\`.

**Rate limits.** Calls are counted by address, and for members also by account. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` show the remaining quota. A 429 response carries \`Retry-After\`. After a 5xx response, retry once after a second.

**Values.** Ids are positive integers. Times are ISO 8601 in UTC with milliseconds. Averages have four decimals and are null if there are no ratings. Unknown values are null; lists are never null. Pictures are paths on this host, or https URLs of an external source. Text is plain text, never HTML: trimmed, in Unicode NFC, and without control characters other than the line break. Lengths are counted after this normalization.

**Lists.** \`limit\` ranges from 1 to 100 and \`page\` starts at 1; anything else is 400. Some lists have a \`cursor\` instead of a page: send the \`nextCursor\` of a page to get the next one. Cursors are opaque; one of another list or sort is 400.`
