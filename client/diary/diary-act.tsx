import { useEffect, useRef, useState } from 'react'
import type { NamedTitle } from '#client/app/kinds.ts'
import { currentEntry } from './entries.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { useAddToWantList, useMyDiary } from './hooks.ts'

/** Opens the diary's form of a title, or adds the title to the want list (`isWant`), once, when it is rendered. */
export function DiaryAct({ title, isWant }: { title: NamedTitle; isWant: boolean }) {
  const mine = useMyDiary(title)
  const [isOpen, setOpen] = useState(!isWant)
  const [opened, setOpened] = useState(0)
  const addToWantList = useAddToWantList(title)
  const isDone = useRef(false)
  useEffect(() => {
    if (!isWant || isDone.current) return
    isDone.current = true
    addToWantList(() => {
      setOpened((count) => count + 1)
      setOpen(true)
    })
  })
  if (mine.data === undefined) return null
  const { entries } = mine.data
  return (
    <EntryDialog
      key={opened}
      title={title}
      entry={currentEntry(entries)}
      entries={entries}
      open={isOpen}
      onOpenChange={setOpen}
    />
  )
}
