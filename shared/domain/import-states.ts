export const workingStates = ['reading', 'matching', 'waiting', 'applying', 'undoing'] as const
export const importStates = [...workingStates, 'ready', 'stopped', 'done', 'undone'] as const
export type ImportState = (typeof importStates)[number]

/**
 * Before it is applied: `pending` has not been looked up yet, `new` adds something, `same` adds nothing, `newer` replaces what an earlier
 * import wrote, `conflict` differs from what the member wrote, `ambiguous` and `notFound` need a decision, `notKept` has nothing to import.
 * Afterwards: `taken` was imported, `left` was left out, `gone` has been deleted from the catalogue.
 */
export const importTitleStates = [
  'pending',
  'new',
  'newer',
  'conflict',
  'ambiguous',
  'notFound',
  'same',
  'notKept',
  'taken',
  'left',
  'gone',
] as const
export type ImportTitleState = (typeof importTitleStates)[number]

export const importLineStates = ['unreadable', 'notKept', 'repeated'] as const
/** Such a line names a member to follow, or describes a list. */
export type RecordLineState = 'new' | 'same' | 'conflict' | 'notFound' | 'taken' | 'left'
export type ImportLineState = (typeof importLineStates)[number]

/** Before it is applied: `new` will be created, `same` gets the titles that it lacks, `left` is left out. Afterwards: `taken` was created. */
export const importListStates = ['new', 'same', 'left', 'taken'] as const
export type ImportListState = (typeof importListStates)[number]
