import { sources } from '#shared/domain/kinds.ts'
import type { ImportTitle } from '#shared/contracts/import-titles.ts'
import { originName } from '#shared/domain/import-formats.ts'
import type { ImportSummary } from './hooks.ts'
import type { ImportState } from '#shared/domain/import-states.ts'
import { isolated, t } from '#shared/domain/message.ts'

export function sourceName(source: string | null): string {
  return source === null ? t`another site` : (sources[source as keyof typeof sources]?.name ?? source)
}

const shortages: Record<string, string> = {
  disk: t`There is too little space for imports at the moment.`,
  quota: t`You have reached the limit of imports. Delete some that you no longer need, or wait until tomorrow.`,
}

export function pauseText(waitingFor: string | null): string {
  return shortages[waitingFor ?? ''] ?? t`Waiting for ${sourceName(waitingFor)}.`
}

export const stateNames: Record<ImportState, string> = {
  reading: t`Reading the file`,
  matching: t`Looking up titles`,
  waiting: t`Waiting`,
  ready: t`Ready to import`,
  applying: t`Importing`,
  stopped: t`Stopped`,
  done: t`Imported`,
  undoing: t`Undoing`,
  undone: t`Undone`,
}

/** Of the file, or what the import is without one. */
export function nameOfImport({ service, fileName }: Pick<ImportSummary, 'service' | 'fileName'>): string {
  return fileName || originName(service)
}

export const titleStateNames: Record<string, string> = {
  new: t`New`,
  newer: t`Newer in the file`,
  ambiguous: t`To decide`,
  notFound: t`Not found`,
  conflict: t`Differ from yours`,
  same: t`Here already`,
  notKept: t`Left in the file`,
  pending: t`Not looked up yet`,
  taken: t`Imported`,
  left: t`Left out`,
  gone: t`Removed since`,
  unreadable: t`Unreadable lines`,
  repeated: t`Repeated lines`,
}

export function decisionText(decision: ImportTitle['decision'], name?: string): string {
  if (decision === null) return t`Not decided`
  if (typeof decision === 'object') return name === undefined ? t`Chosen` : t`Chosen: ${name}`
  return {
    create: t`Will be created`,
    skip: t`Left out`,
    mine: t`Yours is kept`,
    file: t`The file’s is taken`,
    both: t`Yours is kept, the file’s goes into the diary`,
  }[decision]
}

/** What Medley does not import, by the words of the server. */
const leftNames: Record<string, string> = {
  'changes of status': t`Changes of status`,
  collection: t`Collection`,
  comments: t`Comments`,
  'content warnings': t`Content warnings`,
  'deleted entries': t`Deleted entries`,
  descriptions: t`Descriptions`,
  episodes: t`Episodes`,
  'episodes that were not watched': t`Episodes that were not watched`,
  favorites: t`Favorites that the file does not name`,
  imports: t`Imports`,
  likes: t`Likes`,
  'likes of reviews and lists': t`Likes of reviews and lists`,
  lists: t`Lists`,
  moods: t`Moods`,
  notes: t`Notes`,
  'other media': t`Other media`,
  'owned copies': t`Owned copies`,
  partReviews: t`Reviews of seasons and episodes`,
  people: t`People`,
  platforms: t`Platforms`,
  'play sessions': t`Play sessions`,
  'play time': t`Play time`,
  plays: t`Plays`,
  posts: t`Posts`,
  progress: t`Progress`,
  reactions: t`Reactions`,
  repeats: t`Repeats`,
  seasons: t`Seasons`,
  series: t`Series`,
  shelves: t`Shelves`,
  statistics: t`Statistics`,
  steps: t`Steps`,
  tags: t`Tags`,
  'unreadable dates': t`Unreadable dates`,
  'unreadable ISBNs': t`Unreadable ISBNs`,
  volumes: t`Volumes`,
}

/** Returns what is left in the file. A column of the member’s has a name of its own. */
export function nameOfLeft(what: string): string {
  const column = /^column “(.*)”$/.exec(what)?.[1]
  return column === undefined ? (leftNames[what] ?? what) : t`Column “${isolated(column)}”`
}
