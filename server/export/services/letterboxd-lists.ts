import { searchText } from '#server/db/fold.ts'
import type { ListRow } from '#server/lists/tables.ts'
import { selectExportedItems } from '#server/lists/items-store.ts'
import { selectExportedLists } from '#server/lists/store.ts'
import { pagesOf } from '#server/db/pages.ts'
import { toHtml, uploadLine } from './histories.ts'
import { type Export, type ExportFiles, idOf, readTitles } from '#server/export/titles.ts'

/** For each list with movies, in the form that Letterboxd imports. */
export async function listsForLetterboxd(about: Export): Promise<ExportFiles> {
  const files: ExportFiles = {}
  const { db, userId } = about
  for await (const page of pagesOf(selectExportedLists(db, userId), ['id']))
    for (const list of page) {
      const movies = selectExportedItems(db, userId)
        .where('list_items.list_id', '=', list.id)
        .where('list_items.kind', '=', 'movie')
      if (!(await movies.limit(1).executeTakeFirst())) continue
      const name = searchText(list.title).replaceAll(' ', '-').slice(0, 60)
      files[`for-letterboxd-lists/${list.id}${name && `-${name}`}.csv`] = () => linesOf(list, movies)
    }
  return files

  async function* linesOf(
    list: ListRow,
    movies: ReturnType<typeof selectExportedItems>,
  ): AsyncGenerator<string> {
    yield 'Letterboxd list export v7\r\n'
    yield uploadLine(['Date', 'Name', 'Tags', 'URL', 'Description'])
    const tags = (JSON.parse(list.tags) as string[]).join(', ')
    const page = new URL(`/list/${list.id}`, about.instance).href
    yield `${uploadLine([list.created_at.slice(0, 10), list.title, tags, page, toHtml(list.description)])}\r\n`
    yield uploadLine(['Position', 'Name', 'Year', 'URL', 'Description', 'tmdbID', 'imdbID'])
    let position = 0
    for await (const items of pagesOf(movies, ['list_items.place', 'list_items.media_id'])) {
      const ids = items.map(({ media_id }) => media_id)
      const titles = new Map((await readTitles(db, ids)).map((title) => [title.ref, title]))
      for (const { media_id, note } of items) {
        const title = titles.get(media_id)
        if (!title) continue
        const ids = [idOf(title, 'tmdb-movie'), idOf(title, 'imdb')]
        yield uploadLine([++position, title.name, title.year, null, toHtml(note), ...ids])
      }
    }
  }
}
