const integer = { type: 'integer', format: 'int32', minimum: 0 }

export const headers = {
  'RateLimit-Limit': { description: 'Calls that are allowed per window.', schema: integer, example: 300 },
  'RateLimit-Remaining': {
    description: 'Calls that are left in this window.',
    schema: integer,
    example: 297,
  },
  'RateLimit-Reset': { description: 'Seconds until the window ends.', schema: integer, example: 41 },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    required: true,
    schema: { ...integer, minimum: 1 },
    example: 30,
  },
  'WWW-Authenticate': {
    description:
      'The challenge of RFC 6750: `Bearer`, with `error="invalid_token"`, or with `error="insufficient_scope"` and the missing `scope`.',
    schema: { type: 'string' },
    example: 'Bearer error="insufficient_scope", scope="diary:write"',
  },
  Link: {
    description: 'The next page of a list, as `rel="next"` (RFC 8288). Missing on the last page.',
    schema: { type: 'string' },
    example: '</items?limit=24&cursor=WzIsMjRd>; rel="next"',
  },
  Location: {
    description: 'The path of the new resource.',
    schema: { type: 'string' },
    example: '/reviews/12',
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the response of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string' },
    example: 'true',
  },
  ETag: {
    description:
      'Identifies the content of the response. Send it as `If-None-Match`: a 304 means that nothing has changed.',
    schema: { type: 'string' },
    example: 'W/"6Jq0w1mXb0cGq3rT5uYzPA"',
  },
} satisfies Record<string, { description: string; required?: boolean; schema: object; example: unknown }>
export type HeaderName = keyof typeof headers

/** Headers that do not belong to single calls. */
export const generalHeaders = ['Allow', 'Content-Disposition', 'Deprecation', 'Sunset', 'X-Request-Id']

/** The first two have no parameter, because OpenAPI forbids one. */
export const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Medley-Preview',
] as const

export const rateLimitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

export const description = `A social catalogue of movies, TV shows, books and video games. Everything the web app does is available through these calls.

**JSON or HTML.** Some paths are also pages of the web app. A \`GET\` whose \`Accept\` header names \`text/html\`, and does not prefer JSON, returns the page; every other request returns JSON. Send \`Accept: application/json\`, or no \`Accept\` header. Link previews (Slackbot, WhatsApp, Mastodon and others, by \`User-Agent\`) get the page unless they name \`application/json\`. Pages that are not REST paths, such as \`/\`, are sent to every client that accepts HTML, also by \`*/*\`.

**Request bodies** are JSON in UTF-8 (\`Content-Type: application/json\`). Undocumented fields are ignored. A body may be as large as the fields of its call can be in any notation, at least 4 KB and at most 1 MB, with 16 levels and 256 members; a larger one returns 413. A call that its caller may not make is refused before its body is read. Every \`GET\` except \`/auth/verify-email\` and \`/reviews/live\` can be sent as a \`HEAD\`.

**Authentication.** \`POST /auth/login\` returns a token; send it as \`Authorization: Bearer …\`. Where no token is required, an invalid token is treated as none. A 401 carries \`WWW-Authenticate\`.

**Access tokens.** A program that acts on behalf of a member uses a personal access token: the member creates it in Settings and chooses its scopes. \`x-required-scope\` of each call names the scope that it requires; without it, the call returns 403 with the reason \`INSUFFICIENT_SCOPE\`, and \`WWW-Authenticate\` names the scope. This includes calls that work without a token but respond differently with one. With a token that lacks \`read\`, a change returns only its message, the id of the resource, and the properties that the request has sent; \`x-response-without-read\` is the schema of this response, if it differs from that for logins and tokens with \`read\`. The calls for the password, the email, sessions, access tokens and webhooks require a login; with an access token they return 403 with the reason \`SESSION_REQUIRED\`.

**Errors** have the schema \`ApiError\` on every call. An unknown path returns 404, a method that a path does not have 405 with \`Allow\`, a malformed HTTP request 400, oversized headers 431, and a request that takes more than 30 seconds to arrive 408. Every response carries \`X-Request-Id\`.

**Retries.** A \`POST\` of a member with an \`Idempotency-Key\` (1 to 255 visible ASCII characters, a new one for each action) is processed once. For 24 hours, the same request with the same key returns the same response with \`Idempotency-Replayed: true\`, including errors of the request (4xx). A different request with the key returns 422, and so does a token without \`read\` if the first request had it, or the reverse; while the first one is running, the response is 409 with \`Retry-After\`. After a 401, 429 or 5xx, send the same key again. If the first request succeeded but its response is not available, because the server crashed at that moment, because it contained a secret, or because it is above 1 KB and 200 such responses came later, the response is 409 without \`Retry-After\`. The last 5,000 keys of each member are stored. Calls that need no token ignore the header.

**Conditional requests.** Every \`GET\` has a weak \`ETag\`: with \`If-None-Match\`, a 304 means that nothing has changed. With the \`ETag\` of a review as \`If-Match\`, updating or deleting it returns 412 if its author has changed it since; likes and comments by others do not matter. A tag counts as the same with the suffix of an encoding that a proxy appends, such as \`-gzip\`. The \`Location\` of a 201 is the path of the new resource, if it has one.

**Preview.** A read with a token and \`Medley-Preview: follower\` returns what a follower of the caller sees of them.

**Rate limits.** Calls are counted by address, and for members also by account. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` show the remaining quota. \`x-rate-limit-cost\` of a call says how many calls it counts as, if more than one. A 429 response carries \`Retry-After\`. After a 5xx response, retry once after a second.

**Values.** Ids are positive integers. Times are ISO 8601 in UTC with milliseconds. Averages have four decimals and are null if there are no ratings. Unknown values are null; lists are never null. Pictures are paths on this host, or https URLs of an external source. Text is plain text, never HTML: trimmed, in Unicode NFC, and without control characters other than the line break. Lengths are counted after this normalization.

**Lists.** \`limit\` ranges from 1 to 100 and \`page\` starts at 1; anything else is 400. Every list that has pages returns \`nextCursor\`, which is null on the last page: send it as \`cursor\`, with the same filters, to get the next page. \`Link\` with \`rel="next"\` is the URL of that page; the last page has none. If a list also has \`page\`, \`cursor\` takes precedence, and contains the \`limit\`. Cursors are opaque; a cursor of another list or sort returns 400.

**Compatibility.** Additions are not breaking: new calls, optional parameters, properties of responses, values of enumerations and headers. Ignore unknown properties and values. Removals are announced in the [changelog](/docs/changelog) at least six months before; until then, the responses have \`Deprecation\` and \`Sunset\` headers.`
