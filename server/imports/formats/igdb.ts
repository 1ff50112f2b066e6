import type { Format } from './reading.ts'
import { cell, entryOf, lineOf, noName, numberIdOf, readingOf, statusOf, yearOf } from './values.ts'

/** The file does not name its list, so the member chooses the status. */
const list = 'IGDB list'

export const igdb: Format = {
  isHeader: (columns) => columns.has('id') && columns.has('game') && columns.has('url'),
  // `rating` is the average at IGDB, not the member's.
  columns: ['id', 'game', 'release_date'],
  shelfOf: () => list,
  interpret(row, options) {
    const name = lineOf(cell(row, 'game'))
    if (name === '') return noName
    const notes: string[] = []
    const id = numberIdOf(cell(row, 'id'))
    const status = statusOf(list, options, notes)
    return {
      type: 'title',
      reading: readingOf({
        kind: 'game',
        name,
        year: yearOf(cell(row, 'release_date')),
        ids: id === null ? [] : [{ source: 'igdb', id }],
        entries: status === null ? [] : [entryOf({ status, origin: id === null ? null : `igdb:list:${id}` })],
        notes,
      }),
    }
  },
}
