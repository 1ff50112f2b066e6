import { createMedley, MedleyError, type Schema, unwrap } from '@medley/client'

/** Compiled only: what the types of @medley/client allow and refuse. */
export async function program(baseUrl: string): Promise<number> {
  const { token, user } = unwrap(
    await createMedley({ baseUrl }).POST('/auth/login', {
      body: { email: 'a@example.org', password: 'secret' },
    }),
  )
  const medley = createMedley({ baseUrl, token })
  const { data, error } = await medley.GET('/movies/{id}', { params: { path: { id: 1 } } })
  if (error) throw new Error(error.message)
  const movie: Schema<'GetMovieResponse'>['movie'] = data.movie
  const name: string = movie.name

  try {
    const body = { movieId: movie.id, rating: 4, text: `About ${name}.` }
    const { review } = unwrap(await medley.POST('/reviews', { body }))
    unwrap(await medley.DELETE('/reviews/{id}', { params: { path: { id: review.id } } }))
  } catch (caught) {
    if (caught instanceof MedleyError && caught.code === 'NOT_FOUND') return caught.response.status
    throw caught
  }

  let ratings = 0
  for await (const change of medley.items('/users/me/changes', { params: { query: { limit: 50 } } }))
    if (change.area === 'diary') ratings++
  for await (const event of medley.live({ movieId: movie.id })) ratings += event.ratings.total

  // @ts-expect-error There is no such path.
  await medley.GET('/films/{id}', { params: { path: { id: 1 } } })
  // @ts-expect-error A path parameter is missing.
  await medley.GET('/movies/{id}')
  // @ts-expect-error A rating is a number.
  await medley.POST('/reviews', { body: { movieId: 1, rating: 'four' } })
  // @ts-expect-error The response has no such property.
  return ratings + user.id + data.film
}
