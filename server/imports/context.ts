import type { ImportOptions } from '#shared/contracts/imports.ts'
import type { Sources } from '#server/titles/sources/source.ts'
import type { Db } from '#server/db/open.ts'
import type { ImportRow } from './tables.ts'
import type { Disk } from '#server/process/disk.ts'
import type { QueueOptions } from '#server/process/queue.ts'
import { type ImportFacts, optionsOf, factsOf } from './facts.ts'
import type { ImportState } from '#shared/domain/import-states.ts'

/** What the worker of imports needs. */
export type WorkOptions = QueueOptions & {
  sources: Pick<Sources, 'lookups'>
  /** Matching and applying pause while the database has no free space. */
  disk?: Disk
  /** The public URL of this server, whose exports restore follows. */
  instance?: string
  signal?: AbortSignal
  /** The least time between two titles that are applied. */
  paceMs?: number
}

/** Titles that are worked on at once, at most. */
export const titlesAtOnce = 25

/** An import, as functions read it. */
export type ImportContext = { db: Db; row: ImportRow; options: ImportOptions; now: Date }
/** The same in a transaction that has locked the import. `facts` is changed, and saved at the end: see `saveFacts`. */
export type Writing = ImportContext & { facts: ImportFacts }

export function writingOf(db: Db, row: ImportRow, now: Date): Writing {
  return { db, row, options: optionsOf(row), facts: factsOf(row), now }
}

/** The columns of an import on which the work has ended. */
export const ends = (state: ImportState, total: number) => ({ state, next_at: null, total, processed: total })

/** What a part of the work gets. Parts run one after the other; each reads what the one before has committed. */
export type WorkContext = Omit<WorkOptions, 'now'> &
  ImportContext & {
    /** As of the last commit. */
    facts: Readonly<ImportFacts>
    /** Runs a transaction that holds the claim, and saves the columns that it returns. Throws `ClaimLost` and `Paused`. */
    commit: (work: (writing: Writing) => Promise<Partial<ImportRow> | void>) => Promise<void>
  }
