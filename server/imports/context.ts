import type { ImportOptions } from '#shared/contracts/imports.ts'
import type { TitleFeatures } from '#server/titles/move.ts'
import type { Sources } from '#server/titles/sources/source.ts'
import type { Db } from '#server/db/open.ts'
import type { ImportRow } from './tables.ts'
import type { Disk } from '#server/process/disk.ts'
import type { QueueOptions } from '#server/process/queue.ts'
import { type ImportFacts, optionsOf, factsOf } from './facts.ts'
import type { ImportState } from '#shared/domain/import-states.ts'

export type WorkOptions = QueueOptions & {
  sources: Pick<Sources, 'lookups'>
  /** An undo removes the rows of titles that the import created. */
  features: TitleFeatures
  /** Work pauses while the database has no free space. */
  disk?: Disk
  /** This server’s URL, whose exports restore follows. */
  instance?: string
  signal?: AbortSignal
  paceMs?: number
}

export const titlesAtOnce = 25

export type ImportContext = { db: Db; row: ImportRow; options: ImportOptions; now: Date }
/** In a transaction that has locked the import. `facts` is changed, and saved at the end: see `saveFacts`. */
export type Writing = ImportContext & { facts: ImportFacts }

export function writingOf(db: Db, row: ImportRow, now: Date): Writing {
  return { db, row, options: optionsOf(row), facts: factsOf(row), now }
}

export const ends = (state: ImportState, total: number) => ({ state, next_at: null, total, processed: total })

/** Parts run one after the other; each reads what the one before has committed. */
export type WorkContext = Omit<WorkOptions, 'now'> &
  ImportContext & {
    facts: Readonly<ImportFacts>
    /** Holds the claim, and saves the returned columns. Throws `ClaimLost` and `Paused`. */
    commit: (work: (writing: Writing) => Promise<Partial<ImportRow> | void>) => Promise<void>
  }
