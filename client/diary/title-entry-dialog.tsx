import type { NamedTitle } from '#client/app/kinds.ts'
import type { DialogControl } from '#client/ui/dialog.tsx'
import { shownEntry } from './entries.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { useMyDiary } from './hooks.ts'

export function TitleEntryDialog({ title, ...control }: DialogControl & { title: NamedTitle }) {
  const entries = useMyDiary(title).data?.entries ?? []
  const entry = shownEntry(entries)
  if (entry === undefined) return null
  return <EntryDialog {...control} title={title} entry={entry} entries={entries} />
}
