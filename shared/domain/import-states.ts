/** The states in which the server works on an import. */
export const workingStates = ['reading', 'matching', 'waiting', 'applying', 'undoing'] as const
export const importStates = [...workingStates, 'ready', 'stopped', 'done', 'undone'] as const
export type ImportState = (typeof importStates)[number]

/**
 * The states of a title of an import. Before it is applied: `pending` has not been looked up yet, `new` adds something, `same` adds
 * nothing, `newer` replaces what an earlier import wrote, `conflict` differs from what the member wrote, `ambiguous` and `notFound`
 * need a decision, `notKept` has nothing to import. After it is applied: `taken` was imported, `left` was left out, `gone` has been
 * deleted from the catalogue in the meantime.
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

/** The states of a line besides its title’s. */
export const importLineStates = ['unreadable', 'notKept', 'repeated'] as const
/** The states of a line that names a member to follow, or describes a list. */
export type RecordLineState = 'new' | 'same' | 'conflict' | 'notFound' | 'taken' | 'left'
export type ImportLineState = (typeof importLineStates)[number]

/**
 * The states of a list of an import. Before it is applied: `new` will be created, `same` is here already and gets the titles that it
 * lacks, `left` is left out. After it is applied: `taken` was created.
 */
export const importListStates = ['new', 'same', 'left', 'taken'] as const
export type ImportListState = (typeof importListStates)[number]
