import { exportFormat, type ExportService, exportServices } from '#shared/domain/export-formats.ts'
import type { ExportFiles } from '#server/export/titles.ts'
import { forGoodreads } from './goodreads.ts'
import { forImdb } from './imdb.ts'
import { forLetterboxd } from './letterboxd.ts'
import { forStorygraph } from './storygraph.ts'
import { traktFiles } from './trakt.ts'
import { forYamtrack } from './yamtrack.ts'

/** The files of each service; a CSV is alone. */
export const filesFor: Record<ExportService, ExportFiles> = {
  letterboxd: { 'letterboxd.csv': forLetterboxd },
  goodreads: { 'goodreads.csv': forGoodreads },
  imdb: { 'imdb.csv': forImdb },
  trakt: traktFiles,
  yamtrack: { 'yamtrack.csv': forYamtrack },
  storygraph: { 'storygraph.csv': forStorygraph },
}

/** As they are called in the zip with everything. */
export const filesForServices: ExportFiles = Object.fromEntries(
  exportServices.flatMap((service) => {
    const folder = exportFormat(service).file === 'zip' ? `for-${service}/` : 'for-'
    return Object.entries(filesFor[service]).map(([name, read]) => [folder + name, read] as const)
  }),
)
