import { sources } from '#shared/domain/kinds.ts'
import type { ImportTitle } from '#shared/contracts/import-titles.ts'
import { originName } from '#shared/domain/import-formats.ts'
import type { ImportSummary } from './hooks.ts'
import type { ImportState } from '#shared/domain/import-states.ts'

export function sourceName(source: string | null): string {
  return source === null ? 'another site' : (sources[source as keyof typeof sources]?.name ?? source)
}

const shortages: Record<string, string> = {
  disk: 'There is too little space for imports at the moment.',
  quota:
    'You have reached the limit of imports. Delete some that you no longer need, or wait until tomorrow.',
}

export function pauseText(waitingFor: string | null): string {
  return shortages[waitingFor ?? ''] ?? `Waiting for ${sourceName(waitingFor)}.`
}

export const stateNames: Record<ImportState, string> = {
  reading: 'Reading the file',
  matching: 'Looking up titles',
  waiting: 'Waiting',
  ready: 'Ready to import',
  applying: 'Importing',
  stopped: 'Stopped',
  done: 'Imported',
  undoing: 'Undoing',
  undone: 'Undone',
}

/** Of the file, or what the import is without one. */
export function nameOfImport({ service, fileName }: Pick<ImportSummary, 'service' | 'fileName'>): string {
  return fileName || originName(service)
}

export const titleStateNames: Record<string, string> = {
  new: 'New',
  newer: 'Newer in the file',
  ambiguous: 'To decide',
  notFound: 'Not found',
  conflict: 'Differ from yours',
  same: 'Here already',
  notKept: 'Left in the file',
  pending: 'Not looked up yet',
  taken: 'Imported',
  left: 'Left out',
  gone: 'Removed since',
  unreadable: 'Unreadable lines',
  repeated: 'Repeated lines',
}

export function decisionText(decision: ImportTitle['decision'], name?: string): string {
  if (decision === null) return 'Not decided'
  if (typeof decision === 'object') return name === undefined ? 'Chosen' : `Chosen: ${name}`
  return {
    create: 'Will be created',
    skip: 'Left out',
    mine: 'Yours is kept',
    file: 'The file’s is taken',
    both: 'Yours is kept, the file’s goes into the diary',
  }[decision]
}

/** Returns what is left in the file: other favorites are imported. */
export function nameOfLeft(what: string): string {
  return what === 'favorites'
    ? 'Favorites that the file does not name'
    : `${what.charAt(0).toUpperCase()}${what.slice(1)}`
}
