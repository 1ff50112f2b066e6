import type { Format } from './format.ts'
import { titleOf } from './records.ts'
import { numberIdOf } from './values.ts'

/** The member chooses the status: the file does not name its list. */
const list = 'IGDB list'

export const igdb: Format = {
  isHeader: (columns) => columns.has('id') && columns.has('game') && columns.has('url'),
  // `rating` is the average at IGDB, not the member's.
  columns: ['id', 'game', 'release_date'],
  shelfOf: () => list,
  parse({ get, line, year, status }) {
    const id = numberIdOf(get('id'))
    return titleOf({
      kind: 'game',
      name: line('game'),
      year: year('release_date'),
      ids: [['igdb', id]],
      entries: [{ status: status(list), origin: id && `igdb:list:${id}` }],
    })
  },
}
