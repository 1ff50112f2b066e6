import type { Kind } from './kinds.ts'
import { t } from './message.ts'

type ImportFileForm = 'zip' | 'CSV' | 'JSON' | 'XML'
type ImportFormat = {
  name: string
  heading?: string
  files: readonly ImportFileForm[]
  /** If it is missing, the file or the member specifies it. */
  kind?: Kind
  steps: readonly string[]
}

/** In the order in which they are listed and recognized. CONTRIBUTING.md says how to add one. */
const importFormats = {
  letterboxd: {
    name: 'Letterboxd',
    files: ['zip'],
    steps: [t`On the website, open Settings → Data → Export your data.`, t`Send the zip as it is.`],
  },
  goodreads: {
    name: 'Goodreads',
    files: ['CSV'],
    kind: 'book',
    steps: [
      t`On the website, open My Books → Tools → Import and export.`,
      t`Press Export Library, wait for the link above the list, and send the CSV file.`,
    ],
  },
  storygraph: {
    name: 'StoryGraph',
    files: ['CSV'],
    kind: 'book',
    steps: [t`Open Manage Account → Manage Your Data → Export StoryGraph Library.`, t`Send the CSV file.`],
  },
  librarything: {
    name: 'LibraryThing',
    files: ['CSV', 'JSON'],
    kind: 'book',
    steps: [
      t`On the website, open More → Import/Export → Export, and choose tab-delimited text or JSON.`,
      t`Send the file as it is. Collections say what you read, are reading and want to read.`,
    ],
  },
  calibre: {
    name: 'Calibre',
    files: ['CSV'],
    kind: 'book',
    steps: [
      t`Choose Convert books → Create a catalogue, with the format CSV and all fields.`,
      t`Send the CSV file and choose what your books are, such as read. The descriptions of books are not imported.`,
    ],
  },
  imdb: {
    name: 'IMDb',
    files: ['CSV'],
    steps: [
      t`Open Your ratings or Your watchlist on the website and press Export.`,
      t`When the export is ready, download the CSV file and send it. Each list is a file of its own.`,
    ],
  },
  trakt: {
    name: 'Trakt',
    files: ['zip'],
    steps: [
      t`Open Settings → Data → Export your data.`,
      t`Send the zip as it is.`,
      t`The episodes that you watched come along, with their dates and each time again.`,
      t`Your ratings of seasons and episodes come along too.`,
    ],
  },
  simkl: {
    name: 'Simkl',
    files: ['CSV', 'JSON', 'zip'],
    steps: [
      t`Open Settings → Export, and choose CSV or JSON.`,
      t`Send the file or the zip as it is. Your memos stay private.`,
      t`Of JSON, the episodes that you watched come along, with their dates.`,
    ],
  },
  yamtrack: {
    name: 'Yamtrack',
    files: ['CSV'],
    steps: [
      t`Open Settings → Export.`,
      t`Send the CSV file as it is. Your notes stay private.`,
      t`The episodes that you watched come along, with their dates and each time again.`,
      t`Your ratings of seasons and episodes come along too.`,
    ],
  },
  myanimelist: {
    name: 'MyAnimeList',
    files: ['XML', 'zip'],
    steps: [
      t`On the website, open your list and press Export.`,
      t`Send the file as it is, .xml.gz or .xml. Your comments stay private.`,
    ],
  },
  serializd: {
    name: 'Serializd',
    files: ['CSV'],
    kind: 'tvShow',
    steps: [
      t`Serializd has no export. Programs of its community, not of Serializd, write your shows to a CSV file.`,
      t`Send a CSV file with the columns showId and isRewatch.`,
      t`Your ratings and reviews of seasons and episodes come along too.`,
    ],
  },
  backloggd: {
    name: 'Backloggd',
    files: ['CSV', 'JSON'],
    kind: 'game',
    steps: [
      t`Backloggd has no export. Programs of its community, not of Backloggd, write your games to a file.`,
      t`Send a CSV file with the columns Title, Rating, Status and Backlog, or a JSON file “backloggd-transfer”.`,
    ],
  },
  tmdb: {
    name: 'TMDB',
    files: ['CSV'],
    steps: [t`Open Settings → Export your ratings or watchlist.`, t`Send the CSV file.`],
  },
  igdb: {
    name: 'IGDB',
    files: ['CSV'],
    kind: 'game',
    steps: [
      t`Open one of your lists, such as Played, and press Export.`,
      t`Send the CSV file and choose its status.`,
    ],
  },
  neodb: {
    name: 'NeoDB',
    files: ['CSV'],
    steps: [t`Open Data → Export marks and reviews.`, t`Send the file as it is.`],
  },
  tvtime: {
    name: 'TV Time',
    files: ['zip', 'CSV'],
    steps: [
      t`Send the zip that TV Time made of your data. If it has a password, unpack it, and zip the files again without one.`,
      t`The episodes that you watched come along, with their dates and each time again. Only the files about what you watched are opened.`,
    ],
  },
  medley: {
    name: 'Medley',
    heading: t`Another Medley`,
    files: ['zip', 'JSON'],
    steps: [
      t`Open Settings → Account → Your data there, and download everything.`,
      t`Send the zip or medley.json.`,
    ],
  },
  csv: {
    name: 'CSV file',
    heading: t`Any other service, or a spreadsheet`,
    files: ['CSV'],
    steps: [
      t`Save it as CSV. One column has to hold titles. The names of the columns may be in any language.`,
      t`After the upload you check what each column means, and choose it where Medley does not know the name.`,
      t`Notes stay private. A description that is not yours, and ratings of other people, are not imported.`,
      t`A year in the name, as in Alien (1979), is read. Rows of seasons, episodes and volumes are left out and counted.`,
    ],
  },
} as const satisfies Record<string, ImportFormat>
export type ImportService = keyof typeof importFormats

export const importServices = Object.keys(importFormats) as ImportService[]

export function importFormat(service: ImportService): ImportFormat {
  return importFormats[service]
}

/** What an import comes from: a file of a service, or the original ratings of earlier imports, which have no file. */
export const importOrigins = [...importServices, 'originals'] as const
export type ImportOrigin = (typeof importOrigins)[number]

export function originName(origin: ImportOrigin): string {
  return origin === 'originals' ? t`Original ratings` : importFormat(origin).name
}

/** Without a form, of any. */
export function servicesWith(form?: ImportFileForm): string[] {
  return importServices
    .filter((service) => service !== 'csv')
    .map((service): ImportFormat => importFormats[service])
    .filter(({ files }) => form === undefined || files.includes(form))
    .map(({ name }) => name)
}

export const csvFields = [
  'name',
  'year',
  'authors',
  'kind',
  'imdb',
  'tmdb',
  'isbn',
  'igdb',
  'rating',
  'ratedOn',
  'review',
  'note',
  'status',
  'startedOn',
  'finishedOn',
  'list',
] as const
export type CsvField = (typeof csvFields)[number]
