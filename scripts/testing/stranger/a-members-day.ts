import assert from 'node:assert/strict'
import { createMedley, MedleyError, type Schema, unwrap } from '@medley/client'

export type Options = {
  baseUrl: string
  fetch: (request: Request) => Promise<Response>
  /** Returns the token in the newest mail to this address. */
  mailedToken: (email: string) => Promise<string>
  picture: Blob
}

const password = 'a-long-password'
const newPassword = 'a-longer-password'
const tabs = ['movies', 'tv-shows', 'books', 'games'] as const

/** Calls every REST operation as two members and a visitor. Throws if a response is not the expected one. */
export async function aMembersDay({ baseUrl, fetch, mailedToken, picture }: Options): Promise<void> {
  const visitor = createMedley({ baseUrl, fetch })
  const withToken = (token: string) => createMedley({ baseUrl, fetch, token })

  succeeded(await visitor.GET('/healthz'))
  succeeded(await visitor.GET('/readyz'))

  // Register with a picture.
  const form = new FormData()
  form.set('image', picture, 'me.png')
  const { imageUrl } = succeeded(
    await visitor.POST('/upload', { body: { image: '' }, bodySerializer: () => form }),
    201,
  )
  const reader = { username: 'lantern_moth', email: 'Reader@Example.org' }
  const registered = succeeded(
    await visitor.POST('/users/register', { body: { ...reader, password, profilePicture: imageUrl } }),
    201,
  )
  assert.deepEqual(registered.user, {
    id: registered.user.id,
    username: reader.username,
    profilePicture: imageUrl,
  })
  failed(await visitor.POST('/users/register', { body: { ...reader, password } }), 409)
  const tooShort = failed(
    await visitor.POST('/users/register', { body: { username: 'x', email: 'x', password: 'x' } }),
    400,
  )
  assert.deepEqual(
    tooShort.issues?.map(({ path }) => path),
    [['username'], ['email'], ['password']],
  )
  failed(await visitor.POST('/auth/login', { body: { email: reader.email, password } }), 403)
  succeeded(await visitor.POST('/auth/resend-verification', { body: { email: reader.email } }))
  const token = await mailedToken(reader.email)
  succeeded(await visitor.GET('/auth/verify-email', { params: { query: { token } } }))
  failed(await visitor.GET('/auth/verify-email', { params: { query: { token } } }), 400)

  const login = succeeded(
    await visitor.POST('/auth/login', { body: { email: 'reader@example.org', password } }),
  )
  // A login is for the account. All else is done with an access token, as by a program that never has the password.
  const session = withToken(login.token)
  const scopes = ['read', 'reviews:write', 'diary:write', 'social:write', 'imports', 'account'] as const
  const ofDay = { body: { name: 'My day', scopes: [...scopes] } }
  const { secret: mySecret } = succeeded(await session.POST('/users/me/tokens', ofDay), 201)
  const me = withToken(mySecret)
  const myId = login.user.id
  assert.deepEqual(succeeded(await me.GET('/users/me')).user, login.user)
  failed(await visitor.GET('/users/me'), 401)

  // Register a second member, and reset the password.
  const friend = { username: 'paper-kite', email: 'friend@example.org' }
  succeeded(await visitor.POST('/users/register', { body: { ...friend, password } }), 201)
  succeeded(
    await visitor.GET('/auth/verify-email', {
      params: { query: { token: await mailedToken(friend.email) } },
    }),
  )
  succeeded(await visitor.POST('/auth/forgot-password', { body: { email: friend.email } }))
  succeeded(
    await visitor.POST('/auth/reset-password', {
      body: { token: await mailedToken(friend.email), newPassword },
    }),
  )
  const friendLogin = succeeded(
    await visitor.POST('/auth/login', { body: { email: friend.email, password: newPassword } }),
  )
  const kiteSession = withToken(friendLogin.token)
  const kite = withToken(succeeded(await kiteSession.POST('/users/me/tokens', ofDay), 201).secret)
  const friendId = friendLogin.user.id

  // Search the external sources and add titles.
  const screens = succeeded(await visitor.GET('/tmdb/search', { params: { query: { q: 'the' } } })).results
  const aMovie = screens.find(({ mediaType }) => mediaType === 'movie')
  const aShow = screens.find(({ mediaType }) => mediaType === 'tv')
  const books = succeeded(await visitor.GET('/books/search', { params: { query: { q: 'the' } } })).results
  const [aBook, otherBook] = books.filter(({ isbn13, olid }) => isbn13 && olid)
  const aGame = succeeded(await visitor.GET('/games/search', { params: { query: { q: 'the' } } })).results[0]
  assert(aMovie && aShow && aBook?.isbn13 && otherBook?.olid && aGame)

  const syncMovie = (client: typeof me, status: number) =>
    client
      .POST('/tmdb/sync/{tmdbId}', {
        params: { path: { tmdbId: aMovie.tmdbId } },
        body: { mediaType: 'movie' },
      })
      .then((result) => (status < 300 ? succeeded(result, status).movie : void failed(result, status)))
  await syncMovie(visitor, 401)
  const movie = await syncMovie(me, 201)
  assert.deepEqual(await syncMovie(kite, 200), movie)
  const { tvShow } = succeeded(
    await me.POST('/tmdb/sync/{tmdbId}', {
      params: { path: { tmdbId: aShow.tmdbId } },
      body: { mediaType: 'tv' },
    }),
    201,
  )
  const { book } = succeeded(
    await me.POST('/books/sync/{isbn13}', { params: { path: { isbn13: aBook.isbn13 } } }),
    201,
  )
  succeeded(await me.POST('/books/sync', { body: { olid: otherBook.olid } }), 201)
  failed(await me.POST('/books/sync/{isbn13}', { params: { path: { isbn13: '9780000000000' } } }), 400)
  const { game } = succeeded(
    await me.POST('/games/sync/{igdbId}', { params: { path: { igdbId: aGame.igdbId } } }),
    201,
  )
  assert(movie && tvShow)
  const ids = { movies: movie.id, 'tv-shows': tvShow.id, books: book.id, games: game.id }

  const own = succeeded(
    await me.POST('/movies', { body: { name: 'A Film of Mine', description: 'Made at home.', imageUrl } }),
    201,
  ).movie
  assert.deepEqual([own.name, own.imageUrl, own.source], ['A Film of Mine', imageUrl, null])
  const suggested = succeeded(await visitor.GET('/movies/search', { params: { query: { q: 'film mi' } } }))
  assert.deepEqual(
    suggested.results.map(({ id }) => id),
    [own.id],
  )

  // Find the added titles by their external ids.
  const tmdb = { params: { query: { tmdbIds: `${movie.tmdbId},999999999` } } }
  assert.deepEqual(succeeded(await visitor.GET('/movies/exists/by-tmdb', tmdb)).exists, {
    [String(movie.tmdbId)]: movie.id,
  })
  const shows = { params: { query: { tmdbIds: String(tvShow.tmdbId) } } }
  assert.equal(
    succeeded(await visitor.GET('/tv-shows/exists/by-tmdb', shows)).exists[String(tvShow.tmdbId)],
    tvShow.id,
  )
  const isbns = { params: { query: { isbn13s: aBook.isbn13 } } }
  assert.equal(succeeded(await visitor.GET('/books/exists/by-isbn', isbns)).exists[aBook.isbn13], book.id)
  const olids = { params: { query: { olids: otherBook.olid } } }
  assert(succeeded(await visitor.GET('/books/exists/by-olid', olids)).exists[otherBook.olid])
  const igdb = { params: { query: { igdbIds: String(game.igdbId) } } }
  assert.equal(
    succeeded(await visitor.GET('/games/exists/by-igdb', igdb)).exists[String(game.igdbId)],
    game.id,
  )

  // The second member rates everything; the first follows, and sees the ratings in the network.
  for (const title of [
    { movieId: movie.id },
    { tvShowId: tvShow.id },
    { bookId: book.id },
    { gameId: game.id },
  ])
    succeeded(await kite.POST('/reviews', { body: { ...title, rating: 5 } }), 201)
  const follow = succeeded(await me.POST('/users/follow', { body: { userIdToFollow: friendId } }))
  assert.deepEqual(follow, { isFollowing: true, followersCount: 1 })
  failed(await me.POST('/users/follow', { body: { userIdToFollow: myId } }), 400)
  const theFriend = { params: { path: { id: friendId } } }
  assert(succeeded(await me.GET('/users/{id}/follow-status', theFriend)).isFollowing)
  const followers = succeeded(await visitor.GET('/users/{id}/followers', theFriend))
  assert.deepEqual([followers.users[0]?.id, followers.pagination.total], [myId, 1])
  const following = succeeded(await visitor.GET('/users/{id}/following', { params: { path: { id: myId } } }))
  assert.equal(following.users[0]?.username, friend.username)
  const found = succeeded(await visitor.GET('/users/search', { params: { query: { q: 'KITE' } } }))
  assert.deepEqual(found.results, [{ id: friendId, username: friend.username, profilePicture: null }])

  const counts = { '1': 0, '2': 0, '3': 0, '4': 0, '5': 1 }
  for (const tab of tabs) {
    const one = { params: { path: { id: ids[tab] } } }
    const popular = succeeded(
      await visitor.GET(`/${tab}/popular`, { params: { query: { days: 7, limit: 6 } } }),
    )
    assert.deepEqual(
      popular.popular.map(({ id, reviewCount, reviewAverage }) => [id, reviewCount, reviewAverage]),
      [[ids[tab], 1, 5]],
    )
    assert.deepEqual(succeeded(await visitor.GET(`/${tab}/{id}`, one)).stats, { avg: 5, count: 1 })
    assert.deepEqual(succeeded(await visitor.GET(`/${tab}/{id}/overall-rating`, one)), { avg: 5, count: 1 })
    assert.deepEqual(succeeded(await visitor.GET(`/${tab}/{id}/rating-histogram`, one)), {
      counts,
      total: 1,
      avg: 5,
    })
    assert.deepEqual(succeeded(await me.GET(`/${tab}/{id}/network-rating`, one)), { networkAvg: 5, count: 1 })
    assert.deepEqual(succeeded(await me.GET(`/${tab}/{id}/rating-histogram/network`, one)), {
      counts,
      total: 1,
      networkAvg: 5,
    })
    const { raters } = succeeded(await me.GET(`/${tab}/{id}/network-raters`, one))
    assert.deepEqual(raters, [{ id: friendId, username: friend.username, avatarUrl: null }])
    assert.deepEqual(succeeded(await visitor.GET(`/${tab}/{id}/similar`, one)).similar, [])
    const { forYou } = succeeded(await me.GET(`/${tab}/for-you`))
    assert.deepEqual(
      forYou.map(({ friendAvg, friendCount }) => [friendAvg, friendCount]),
      [[5, 1]],
    )
  }
  failed(await visitor.GET('/movies/for-you'), 401)
  const news = succeeded(await me.GET('/feed', { params: { query: { limit: 3 } } }))
  assert.equal(news.entries[0]?.title.name, game.name)
  const rest = { params: { query: { limit: 3, cursor: news.nextCursor! } } }
  assert.equal(succeeded(await me.GET('/feed', rest)).nextCursor, null)
  const taste = succeeded(await me.GET('/users/{id}/taste-match', theFriend))
  assert.deepEqual([taste.match, taste.commonCount], [null, 0])
  assert.deepEqual(succeeded(await me.GET('/users/suggested')).people, [])
  failed(await visitor.GET('/books/{id}', { params: { path: { id: movie.id } } }), 404)

  // Fields that differ between the kinds.
  const theMovie = { params: { path: { id: movie.id } } }
  assert.equal(succeeded(await visitor.GET('/movies/{id}', theMovie)).movie.name, movie.name)
  const theBook = { params: { path: { id: book.id } } }
  assert.equal(succeeded(await visitor.GET('/books/{id}', theBook)).book.title, aBook.title)
  assert.equal(succeeded(await me.GET('/games/for-you')).forYou[0]?.game.name, game.name)

  // Rate, review, edit.
  failed(await me.GET('/reviews/mine', { params: { query: { movieId: movie.id } } }), 404)
  const rated = succeeded(await me.POST('/reviews', { body: { movieId: movie.id, rating: 2 } }), 201).review
  assert.deepEqual([rated.text, rated.itemId, rated.movieId], ['', movie.id, movie.id])
  const text = 'Slow — and worth\nevery minute. <b>Not bold.</b>'
  const written = succeeded(
    await me.POST('/reviews', { body: { itemId: movie.id, rating: 3, text, hasSpoilers: true } }),
    201,
  ).review
  assert.deepEqual([written.id, written.text, written.hasSpoilers], [rated.id, text, true])
  const myReview = { params: { path: { id: written.id } } }
  const edited = succeeded(await me.PATCH('/reviews/{id}', { ...myReview, body: { rating: 4 } })).review
  assert.deepEqual([edited.rating, edited.text, edited.user.profilePicture], [4, text, imageUrl])
  failed(await kite.PATCH('/reviews/{id}', { ...myReview, body: { rating: 1 } }), 403)
  const outdated = { ...myReview.params, header: { 'If-Match': 'W/"0.0"' } }
  failed(await me.PATCH('/reviews/{id}', { params: outdated, body: { rating: 1 } }), 412)
  const mine = succeeded(await me.GET('/reviews/mine', { params: { query: { itemId: movie.id } } }))
  assert.deepEqual(mine.review, edited)
  assert.deepEqual(succeeded(await visitor.GET('/reviews/{id}', myReview)).review, edited)
  failed(await visitor.GET('/reviews/{id}', { params: { path: { id: 999_999 } } }), 404)

  // The libraries of both members, page by page.
  const theirs = {
    params: { path: { id: friendId }, query: { sort: 'title', order: 'asc', limit: 3 } },
  } as const
  const firstPage = succeeded(await visitor.GET('/users/{id}/reviews', theirs))
  assert.deepEqual([firstPage.reviews.length, firstPage.total], [3, 4])
  const { nextCursor: cursor } = firstPage
  assert(cursor)
  const lastPage = succeeded(
    await visitor.GET('/users/{id}/reviews', {
      params: { ...theirs.params, query: { ...theirs.params.query, cursor } },
    }),
  )
  assert.deepEqual([lastPage.reviews.length, lastPage.nextCursor], [1, null])
  failed(
    await visitor.GET('/users/{id}/reviews', { params: { path: { id: friendId }, query: { cursor: 'x' } } }),
    400,
  )
  const library = succeeded(await me.GET('/users/me/reviews', { params: { query: { hasText: true } } }))
  assert.deepEqual(
    library.reviews.map(({ id, title }) => [id, title.name]),
    [[edited.id, movie.name]],
  )
  const histograms = succeeded(await visitor.GET('/users/{id}/rating-histograms', theFriend))
  assert.deepEqual([histograms.all.total, histograms.game.avg], [4, 5])
  const stars = succeeded(
    await me.GET('/reviews/mine/ratings', { params: { query: { ids: `${movie.id},${book.id}` } } }),
  )
  assert.deepEqual(stars.ratings, [{ titleId: movie.id, rating: 4 }])

  assert.deepEqual(succeeded(await visitor.GET('/reviews/{id}', myReview)).review, edited)

  const liked = succeeded(
    await kite.POST('/reviews/{id}/reactions', { ...myReview, body: { reaction: 'like' } }),
  )
  assert.deepEqual([liked.review.likeCount, liked.review.userReaction], [1, 'like'])
  const commented = succeeded(
    await kite.POST('/reviews/{id}/comments', {
      ...myReview,
      body: { text: 'My thoughts exactly.', hasSpoilers: true },
    }),
    201,
  )
  assert.deepEqual([commented.commentCount, commented.comment.hasSpoilers], [1, true])
  // A request that is sent twice with the same key is carried out once.
  const retried = {
    params: { ...myReview.params, header: { 'Idempotency-Key': 'once' } },
    body: { text: 'Twice?' },
  }
  const once = succeeded(await kite.POST('/reviews/{id}/comments', retried), 201)
  assert.deepEqual(succeeded(await kite.POST('/reviews/{id}/comments', retried), 201), once)
  failed(await kite.POST('/reviews/{id}/comments', { ...retried, body: { text: 'Other.' } }), 422)
  succeeded(await kite.DELETE('/comments/{id}', at(once.comment.id)))
  const { comments, total } = succeeded(await visitor.GET('/reviews/{id}/comments', myReview))
  assert.deepEqual([comments, total], [[commented.comment], 1])

  const query = { sortBy: 'rating', order: 'asc', page: 1, limit: 5 } as const
  const listed = succeeded(await kite.GET('/reviews', { params: { query: { movieId: movie.id, ...query } } }))
  assert.deepEqual(listed, {
    reviews: [{ ...edited, likeCount: 1, userReaction: 'like', commentCount: 1 }],
    pagination: { page: 1, pageSize: 5, total: 1, totalPages: 1 },
    nextCursor: null,
  })
  const network = { params: { query: { bookId: book.id, scope: 'network' } } } as const
  assert.deepEqual(succeeded(await me.GET('/reviews', network)).reviews, [])
  failed(await visitor.GET('/reviews', network), 401)
  failed(await visitor.GET('/reviews'), 400)
  const ofItem = succeeded(await visitor.GET('/items/{id}/reviews', theMovie))
  assert.equal(ofItem.reviews[0]?.userReaction, 'none')
  const theComment = { params: { path: { id: commented.comment.id } } }
  failed(await me.DELETE('/comments/{id}', theComment), 403)
  assert.equal(succeeded(await kite.DELETE('/comments/{id}', theComment)).commentCount, 0)

  // List and search the catalogue.
  const items = succeeded(await visitor.GET('/items', { params: { query: { limit: 2 } } }))
  assert.deepEqual(
    [items.items.length, items.pagination],
    [2, { page: 1, pageSize: 2, total: 6, totalPages: 3 }],
  )
  // The same list by the iterators, over pages by number and by cursor, and the live events of a title.
  const names: string[] = []
  for await (const { name } of visitor.items('/items', { params: { query: { limit: 4 } } })) names.push(name)
  assert.equal(new Set(names).size, 6)
  const pageLengths: number[] = []
  const ofFriend = { params: { path: { id: friendId }, query: { limit: 3 } } } as const
  for await (const { reviews } of visitor.pages('/users/{id}/reviews', ofFriend))
    pageLengths.push(reviews.length)
  assert.equal(
    pageLengths.reduce((sum, length) => sum + length),
    unwrap(await visitor.GET('/users/{id}/reviews', ofFriend)).total,
  )
  const missing = visitor.items('/items/{id}/reviews', at(999_999)).next()
  await assert.rejects(missing, (error) => error instanceof MedleyError && error.code === 'NOT_FOUND')
  for await (const { ratings } of visitor.live({ movieId: movie.id })) {
    assert(ratings.total > 0)
    break
  }

  const games = succeeded(await visitor.GET('/items', { params: { query: { category: 'Game' } } })).items
  assert.deepEqual(games, [succeeded(await visitor.GET('/items/{id}', at(game.id))).item])
  failed(await visitor.GET('/items/{id}', at(999_999)), 404)
  const { genres } = succeeded(
    await visitor.GET('/items/genres', { params: { query: { category: 'Game' } } }),
  )
  const ofGenre = {
    category: 'Game',
    sort: 'rating',
    genre: genres[0]?.name ?? 'None',
    network: true,
    unrated: true,
  } as const
  assert.deepEqual(
    succeeded(await me.GET('/items', { params: { query: ofGenre } })).items.map(({ id }) => id),
    genres.length > 0 ? [game.id] : [],
  )
  failed(await visitor.GET('/items', { params: { query: ofGenre } }), 401)
  const searched = succeeded(
    await visitor.GET('/items/search', { params: { query: { q: 'film', category: 'Movie' } } }),
  )
  assert.deepEqual(
    searched.results.map(({ id, category }) => [id, category]),
    [[own.id, 'Movie']],
  )

  // Favorites of each kind.
  succeeded(await kite.POST('/favorite-movies', { body: { movieId: movie.id } }), 201)
  succeeded(await kite.POST('/favorite-tv-shows', { body: { tvShowId: tvShow.id } }), 201)
  succeeded(await kite.POST('/favorite-books', { body: { bookId: book.id } }), 201)
  succeeded(await kite.POST('/favorite-games', { body: { gameId: game.id } }), 201)
  failed(await kite.POST('/favorite-games', { body: { gameId: movie.id } }), 404)
  for (const tab of tabs) {
    const { nextCursor, ...ofFriend } = succeeded(await visitor.GET(`/favorite-${tab}/{id}`, theFriend))
    const again = succeeded(await visitor.GET(`/users/{id}/favorite-${tab}`, theFriend))
    assert.deepEqual(again, { ...ofFriend, nextCursor: null })
    assert.equal(nextCursor, null)
    assert.deepEqual(succeeded(await me.GET(`/favorite-${tab}/network`)), ofFriend)
    assert.equal(Object.values(ofFriend).flat()[0]?.id, ids[tab])
    assert(succeeded(await kite.GET(`/favorite-${tab}/{id}/status`, at(ids[tab]))).isFavorite)
    succeeded(await kite.DELETE(`/favorite-${tab}/{id}`, at(ids[tab])))
    assert(!succeeded(await kite.GET(`/favorite-${tab}/{id}/status`, at(ids[tab]))).isFavorite)
  }

  // A copy of one's own data begins with a cursor.
  const { nextCursor: since } = succeeded(await me.GET('/users/me/changes', { params: { query: {} } }))

  // Live updates are a stream, whose first event is the current state.
  const live = await visitor.GET('/reviews/live', {
    params: { query: { bookId: book.id } },
    parseAs: 'stream',
  })
  assert.equal(live.response.status, 200)
  const events = (live.data as unknown as ReadableStream<Uint8Array>).getReader()
  const first = new TextDecoder().decode((await events.read()).value).slice('data: '.length)
  assert.equal((JSON.parse(first) as Schema<'LiveEvent'>).ratings.total >= 0, true)
  await events.cancel()
  failed(await visitor.GET('/reviews/live', { params: { query: {} } }), 400)

  // Feed readers and other sites.
  const feed = succeeded(await visitor.GET('/users/{id}/reviews.atom', { ...at(myId), parseAs: 'text' }))
  const origin = /<id>(.*)\/users\//.exec(feed)![1]!
  for (const tab of tabs) {
    const ofTitle = succeeded(
      await visitor.GET(`/${tab}/{id}/reviews.atom`, { ...at(ids[tab]), parseAs: 'text' }),
    )
    assert(ofTitle.includes(`${origin}/${tab}/${ids[tab]}/reviews.atom`))
    failed(await visitor.GET(`/${tab}/{id}/reviews.atom`, { ...at(999_999), parseAs: 'text' }), 404)
  }
  const embed = (url: string, format?: string) =>
    visitor.GET('/oembed', { params: { query: { url, ...(format && { format }) } } })
  assert.equal(succeeded(await embed(`${origin}/movies/${ids.movies}`)).type, 'link')
  failed(await embed('nonsense'), 400)
  failed(await embed(`${origin}/movies/999999`), 404)
  failed(await embed(origin, 'xml'), 501)

  // The diary: a book is wanted, started, finished and started again. It is private until its owner shows it.
  const wanted = succeeded(await me.POST('/diary', { body: { bookId: book.id, status: 'want' } }), 201).entry
  failed(await me.POST('/diary', { body: { itemId: book.id, status: 'want' } }), 409)
  failed(await me.POST('/diary', { body: { bookId: movie.id, status: 'want' } }), 404)
  failed(
    await me.POST('/diary', { body: { bookId: book.id, status: 'finished', finishedOn: '2026-02-30' } }),
    400,
  )
  const theEntry = at(wanted.id)
  failed(await kite.PATCH('/diary/{id}', { ...theEntry, body: { status: 'started' } }), 404)
  failed(await me.PATCH('/diary/{id}', { ...theEntry, body: { startedOn: '2020-01-02' } }), 400)
  const dates = { startedOn: '2020-01-02', finishedOn: '2020-02-29' }
  const finished = succeeded(
    await me.PATCH('/diary/{id}', {
      ...theEntry,
      body: { status: 'finished', ...dates, text: 'On trains.' },
    }),
  ).entry
  assert.deepEqual(
    [finished.finishedOn, finished.rating, finished.title.name],
    ['2020-02-29', null, aBook.title],
  )
  const reread = { bookId: book.id, status: 'started', isAgain: true } as const
  succeeded(await me.POST('/diary', { body: reread }), 201)
  const myBook = succeeded(await me.GET('/diary/mine', { params: { query: { bookId: book.id } } }))
  assert.deepEqual([myBook.status, myBook.entries.length, myBook.entries[1]], ['started', 2, finished])
  const marks = { params: { query: { itemIds: `${book.id},${movie.id}` } } }
  assert.deepEqual(succeeded(await me.GET('/diary/marks', marks)).marks, [
    { itemId: book.id, status: 'started' },
  ])
  const ofYear = { params: { query: { kind: 'book', status: 'finished', year: 2020, limit: 5 } } } as const
  const log = succeeded(await me.GET('/diary', ofYear))
  assert.deepEqual(log, { entries: [finished], nextCursor: null })
  const theYear = { params: { path: { id: myId, year: 2020 } } }
  assert.equal(succeeded(await me.GET('/users/{id}/diary-status', at(myId))).isVisible, true)
  assert.equal(succeeded(await kite.GET('/users/{id}/diary-status', at(myId))).isVisible, false)
  failed(await kite.GET('/users/{id}/diary', at(myId)), 403)
  failed(await kite.GET('/users/{id}/year/{year}', theYear), 403)
  assert.equal(succeeded(await me.GET('/diary/visibility')).visibility, 'private')
  succeeded(await me.PUT('/diary/visibility', { body: { visibility: 'everyone' } }))
  const shown = succeeded(await visitor.GET('/users/{id}/diary', at(myId)))
  assert.deepEqual(
    shown.entries.map((entry) => [entry.id, 'text' in entry]),
    [
      [wanted.id, false],
      [shown.entries[1]?.id, false],
    ],
  )
  const summary = succeeded(await visitor.GET('/users/{id}/year/{year}', theYear))
  assert.deepEqual([summary.total, summary.kinds.book, summary.last?.date], [1, 1, '2020-02-29'])
  succeeded(await me.DELETE('/diary/{id}', theEntry))
  failed(await me.DELETE('/diary/{id}', theEntry), 404)

  // An import: a TV show that is here, one that may be the same, and a film that nobody knows.
  const history = new FormData()
  const lines = [
    'Const,Your Rating,Date Rated,Title,Title Type,Year',
    `tt0000001,9,2023-01-02,"${tvShow.name}",TV Series,${tvShow.releaseYear}`,
    `tt0000002,7,2023-01-03,"${tvShow.name}",TV Series,${tvShow.releaseYear! - 1}`,
    'tt0000003,4,2023-01-04,A Film That Nobody Made,Movie,1950',
  ]
  history.set('file', new Blob([lines.join('\n')]), 'ratings.csv')
  const sent = { body: { file: '' }, bodySerializer: () => history }
  failed(await visitor.POST('/imports', sent), 401)
  const brought = succeeded(await me.POST('/imports', sent), 201).import
  const theImport = at(brought.id)
  const reached = async (state: typeof brought.state) => {
    for (;;) {
      const now = succeeded(await me.GET('/imports/{id}', theImport)).import
      if (now.state === state) return now
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  assert.deepEqual((await reached('ready')).counts, { new: 1, ambiguous: 1, notFound: 1 })
  failed(await kite.GET('/imports/{id}', theImport), 404)
  failed(await kite.GET('/imports/{id}/report', theImport), 404)
  assert.equal(succeeded(await me.GET('/imports')).imports[0]?.id, brought.id)
  const { titles } = succeeded(await me.GET('/imports/{id}/titles', theImport))
  assert.deepEqual(
    titles.map(({ state, title, candidates }) => [state, title?.name, candidates[0]?.why]),
    [
      ['new', tvShow.name, undefined],
      ['ambiguous', undefined, 'A year apart'],
      ['notFound', undefined, undefined],
    ],
  )
  const decided = { params: { path: { id: brought.id, titleId: titles[1]!.id } } }
  const decision = { ...decided, body: { decision: 'skip' as const } }
  assert.equal(succeeded(await me.PATCH('/imports/{id}/titles/{titleId}', decision)).title.state, 'left')
  const all = { ...theImport, body: { state: 'notFound', decision: 'create' } as const }
  succeeded(await me.POST('/imports/{id}/decisions', all))
  succeeded(await me.PATCH('/imports/{id}', { ...theImport, body: { halves: 'down' } }))
  assert.deepEqual((await reached('ready')).parts.titles, 1)
  succeeded(await me.POST('/imports/{id}/apply', theImport), 202)
  assert.deepEqual((await reached('done')).counts, { taken: 2, left: 1 })
  const places = succeeded(await me.GET('/imports/{id}/lines', theImport)).lines
  assert.deepEqual([places.length, places[0]?.line], [3, 2])
  const report = await me.GET('/imports/{id}/report', { ...theImport, parseAs: 'text' })
  assert(report.data?.includes('A Film That Nobody Made'))
  failed(await me.POST('/imports/{id}/resume', theImport), 409)
  failed(await me.POST('/imports/{id}/stop', theImport), 409)
  const preview = succeeded(await me.GET('/imports/{id}/undo', theImport))
  assert.deepEqual(preview.removes, { reviews: 2, entries: 0, favorites: 0, titles: 1, follows: 0 })
  succeeded(await me.POST('/imports/{id}/undo', theImport), 202)
  await reached('undone')
  for (;;) {
    succeeded(await me.POST('/imports/{id}/again', theImport), 202)
    const stopped = await me.POST('/imports/{id}/stop', theImport)
    if (stopped.response.ok) break
    // The server was done before it could be stopped.
    failed(stopped, 409)
    await reached('ready')
  }
  succeeded(await me.POST('/imports/{id}/resume', theImport), 202)
  await reached('ready')
  succeeded(await me.DELETE('/imports/{id}', theImport))
  failed(await me.DELETE('/imports/{id}', theImport), 404)

  // A webhook for review events. The test server sends no deliveries.
  const hook = { url: 'https://example.org/hook', events: ['review' as const] }
  const created = succeeded(await session.POST('/users/me/webhooks', { body: hook }), 201)
  assert.match(created.secret, /^whsec_/)
  failed(await session.POST('/users/me/webhooks', { body: { ...hook, url: 'http://example.org' } }), 400)
  const theHook = at(created.webhook.id)
  succeeded(await session.PATCH('/users/me/webhooks/{id}', { ...theHook, body: { events: ['diary'] } }))
  assert.deepEqual(succeeded(await session.GET('/users/me/webhooks')).webhooks[0]?.events, ['diary'])
  succeeded(await session.POST('/users/me/webhooks/{id}/test', theHook))
  const { deliveries } = succeeded(await session.GET('/users/me/webhooks/{id}/deliveries', theHook))
  assert.equal(deliveries[0]?.type, 'webhook.test')
  failed(await kiteSession.DELETE('/users/me/webhooks/{id}', theHook), 404)
  succeeded(await session.DELETE('/users/me/webhooks/{id}', theHook))

  // What has changed since then.
  const readChanges = async () =>
    succeeded(await me.GET('/users/me/changes', { params: { query: { since } } }))
  let followed = await readChanges()
  // On Postgres a change is listed when no earlier write is running.
  while (followed.changes.filter(({ id }) => id === wanted.id).length < 3) followed = await readChanges()
  assert.deepEqual(
    followed.changes.filter(({ id }) => id === wanted.id).map(({ area, action }) => [area, action]),
    [
      ['diary', 'deleted'],
      ['diary', 'deleted'],
      ['diary', 'deleted'],
    ],
  )
  assert(followed.changes.some(({ action, entry }) => action === 'created' && entry?.title.id === book.id))
  let diaryChanges = 0
  for await (const { area } of me.items('/users/me/changes', { params: { query: { since, limit: 2 } } }))
    if (area === 'diary') diaryChanges++
  assert(diaryChanges >= 3)
  failed(await me.GET('/users/me/changes', { params: { query: { since: 'x' } } }), 400)
  failed(await visitor.GET('/users/me/changes', { params: { query: {} } }), 401)
  assert.equal(typeof succeeded(await me.GET('/users/me/activity')).diary, 'string')

  // Profiles show the email to its owner only.
  const profile = succeeded(await visitor.GET('/users/{id}/profile', at(myId))).user
  assert.deepEqual(
    [profile.email, profile.reviewCount, profile.followersCount, profile.followingCount],
    [undefined, 1, 0, 1],
  )
  assert.equal(succeeded(await me.GET('/users/{id}/profile', at(myId))).user.email, reader.email)
  const changed = succeeded(
    await session.PUT('/users/profile', {
      body: { username: 'night.moth', profilePicture: null, email: 'new@example.org', password },
    }),
  ).user
  assert.deepEqual(
    [changed.username, changed.profilePicture, changed.email, changed.pendingEmail],
    ['night.moth', null, reader.email, 'new@example.org'],
  )
  failed(await me.PUT('/users/profile', { body: { username: friend.username } }), 409)

  const second = succeeded(await visitor.POST('/auth/login', { body: { email: reader.email, password } }))
  const { sessions } = succeeded(await session.GET('/users/me/sessions'))
  const other = sessions.find(({ isCurrent }) => !isCurrent)
  assert(sessions.length === 2 && other)
  succeeded(await session.DELETE('/users/me/sessions/{id}', { params: { path: { id: other.id } } }))
  failed(await withToken(second.token).GET('/users/me'), 401)

  // A program with an access token does what its scopes allow, until the token is revoked.
  const program = { name: 'Night reader', scopes: ['read' as const] }
  failed(await session.POST('/users/me/tokens', { body: { ...program, scopes: [] } }), 400)
  const { token: issued, secret } = succeeded(
    await session.POST('/users/me/tokens', { body: { ...program, expiresAt: null } }),
    201,
  )
  assert.deepEqual([issued.scopes, issued.expiresAt], [['read'], null])
  const withScopes = withToken(secret)
  assert.equal(succeeded(await withScopes.GET('/users/me')).user.id, myId)
  const { reason } = failed(await withScopes.PUT('/users/profile', { body: { username: 'other' } }), 403)
  assert.equal(reason, 'INSUFFICIENT_SCOPE')
  assert.equal(failed(await withScopes.GET('/users/me/tokens'), 403).reason, 'SESSION_REQUIRED')
  const { tokens } = succeeded(await session.GET('/users/me/tokens'))
  assert.deepEqual(
    tokens.map(({ name, lastUsedAt }) => [name, typeof lastUsedAt]),
    [
      ['Night reader', 'string'],
      ['My day', 'string'],
    ],
  )
  succeeded(await session.DELETE('/users/me/tokens/{id}', at(issued.id)))
  failed(await session.DELETE('/users/me/tokens/{id}', at(issued.id)), 404)
  failed(await withScopes.GET('/users/me'), 401)

  failed(await session.PUT('/users/password', { body: { currentPassword: 'wrong', newPassword } }), 403)
  assert.equal(succeeded(await me.GET('/users/me')).user.id, myId)
  succeeded(await session.PUT('/users/password', { body: { currentPassword: password, newPassword } }))
  failed(await me.GET('/users/me'), 401)

  // Everything that the member keeps, as one file.
  const exported = succeeded(await session.GET('/export', { params: { query: { format: 'json' } } }))
  assert(typeof exported === 'object')
  assert.deepEqual([exported.version, exported.member.username], [1, 'night.moth'])
  assert.equal(exported.reviews.length, 1)
  failed(await visitor.GET('/export'), 401)

  // Ask for the deletion of the account twice, and keep it.
  failed(await session.POST('/users/me/deletion', { body: { currentPassword: 'wrong' } }), 403)
  const scheduled = succeeded(
    await session.POST('/users/me/deletion', { body: { currentPassword: newPassword } }),
  ).deletionAt
  const deletion = succeeded(await session.GET('/users/me/deletion'))
  assert.deepEqual([deletion.deletionAt, deletion.removes.reviews], [scheduled, 1])
  const keep = { body: { token: await mailedToken(reader.email) } }
  succeeded(await visitor.POST('/auth/keep-account', keep))
  failed(await visitor.POST('/auth/keep-account', keep), 400)
  succeeded(await session.DELETE('/users/me/deletion'))
  assert.equal(succeeded(await session.GET('/users/me')).user.deletionAt, null)

  // Delete, unfollow, log out.
  succeeded(await session.DELETE('/reviews/{id}', myReview))
  failed(await visitor.GET('/reviews/{id}/comments', myReview), 404)
  const unfollowed = succeeded(
    await session.POST('/users/unfollow', { body: { userIdToUnfollow: friendId } }),
  )
  assert.deepEqual(unfollowed, { isFollowing: false, followersCount: 0 })
  succeeded(await session.POST('/auth/logout'))
  failed(await session.GET('/users/me'), 401)
}

const at = (id: number) => ({ params: { path: { id } } })

type Result<Data, Problem> = { data?: Data; error?: Problem; response: Response }

/** Returns the data of a response with this status. Throws if the status differs. */
function succeeded<Data>({ data, error, response }: Result<Data, unknown>, status = 200): NonNullable<Data> {
  assert.equal(response.status, status, `${response.url}: ${JSON.stringify(error)}`)
  assert(data)
  return data
}

/** Returns the error of a response with this status. Throws if the status differs. */
function failed<Problem extends Schema<'ApiError'>>(
  { error, response }: Result<unknown, Problem>,
  status: number,
): Problem {
  assert.equal(response.status, status, response.url)
  assert(error && error.message !== '')
  return error
}
