import { useEffect, useRef, useState } from 'react'
import type { NamedTitle } from '#client/app/kinds.ts'
import { openLog } from '#client/titles/log-request.ts'
import { shownEntry } from './entries.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { useAddToWantList, useMyDiary } from './hooks.ts'

/** Logs the title, or opens its entry, or adds the title to the want list (`isWant`), once, when it is rendered. */
export function DiaryAct({ title, isWant }: { title: NamedTitle; isWant: boolean }) {
  const mine = useMyDiary(title)
  const [isOpen, setOpen] = useState(!isWant)
  const [opened, setOpened] = useState(0)
  const addToWantList = useAddToWantList(title)
  const isDone = useRef(false)
  const entry = shownEntry(mine.data?.entries ?? [])
  useEffect(() => {
    if (isDone.current || (!isWant && mine.data === undefined)) return
    isDone.current = true
    if (isWant)
      addToWantList(() => {
        setOpened((count) => count + 1)
        setOpen(true)
      })
    else if (entry === undefined) openLog({ title })
  })
  if (mine.data === undefined || entry === undefined) return null
  return (
    <EntryDialog
      key={opened}
      title={title}
      entry={entry}
      entries={mine.data.entries}
      open={isOpen}
      onOpenChange={setOpen}
    />
  )
}
