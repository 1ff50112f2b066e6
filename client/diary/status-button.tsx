import {
  BookmarkCheck,
  CircleCheckBig,
  CirclePause,
  CirclePlay,
  CircleX,
  type LucideIcon,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLogInPrompt } from '#client/log-in.tsx'
import { useKnownStatus } from '#client/my-titles.ts'
import { useSession } from '#client/session.ts'
import { errorText } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { toasts } from '#client/ui/toasts.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import type { DiaryStatus, KindFacts } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { currentEntry, dayOf, statusWord } from './entries.ts'
import { type Entry, useMyDiary } from './hooks.ts'
import { useDiaryPrompt } from './diary-prompt.ts'

const { Component: EntryDialog, load } = lazyComponent(
  async () => (await import('./entry-dialog.tsx')).EntryDialog,
)

const icons: Record<DiaryStatus, LucideIcon> = {
  want: BookmarkCheck,
  started: CirclePlay,
  paused: CirclePause,
  finished: CircleCheckBig,
  dropped: CircleX,
}

/** Lazy-loaded by `DiaryButton`, which screens use. `isOpening`: its placeholder was pressed. */
export function StatusButton({
  facts,
  id,
  name,
  icon,
  isOpening,
}: {
  facts: KindFacts
  id: number
  name: string
  /** Shown if the title is not in the diary. */
  icon: ReactNode
  isOpening: boolean
}) {
  const isMember = useSession() !== null
  const mine = useMyDiary(facts, id)
  const askToLogIn = useLogInPrompt()
  const [isOpen, setOpen] = useState(isOpening && isMember)
  const [opened, setOpened] = useState(0)
  const { release } = useDates()
  useDiaryPrompt(facts, id, name, mine.data?.entries)
  useEffect(() => {
    if (!isOpening) return
    if (isMember) load()
    else askToLogIn(messages.pleaseLogInFirst)
    // oxlint-disable-next-line react/exhaustive-deps -- the press of the placeholder counts once
  }, [])

  function open() {
    setOpened(opened + 1)
    setOpen(true)
  }
  // A list that shows the title has already loaded its status.
  const known = useKnownStatus(id) ?? null
  const { status, entries } = mine.data ?? { status: known, entries: [] }
  const shown = status === null ? undefined : entries.find((entry) => entry.status === status)
  const Icon = status === null ? undefined : icons[status]
  return (
    <>
      <Button
        icon={Icon ? <Icon aria-hidden /> : icon}
        aria-haspopup="dialog"
        className={status === null ? undefined : 'picked bg-accent/12! text-accent!'}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => {
          if (!isMember) return askToLogIn(messages.pleaseLogInFirst)
          load()
          if (mine.data !== undefined) return open()
          // Without the entries, the form would add a second entry. Waits for a running query.
          void mine.refetch({ cancelRefetch: false }).then(({ error }) => {
            if (!error) return open()
            toasts.add({ tone: 'error', title: 'Your diary did not load', description: errorText(error) })
          })
        }}
      >
        {shown === undefined ? facts.words.diary[status ?? 'want'] : labelOf(facts, shown, release)}
        <VisuallyHidden>
          {mine.data === undefined ? '' : status === null ? ' (not in your diary)' : ' (change your diary)'}
        </VisuallyHidden>
      </Button>
      {isMember && mine.data !== undefined ? (
        <EntryDialog
          // A new form each time it opens.
          key={opened}
          title={{ id, kind: facts.kind }}
          name={name}
          entry={currentEntry(entries)}
          entries={entries}
          open={isOpen}
          onOpenChange={setOpen}
        />
      ) : null}
    </>
  )
}

/** Returns “Watching”, “Watched on 4 May 2026” or “Watched again in May 2026”. */
function labelOf(facts: KindFacts, entry: Entry, release: (date: string) => string): string {
  const word = statusWord(facts, entry)
  const day = dayOf(entry)
  if (entry.status !== 'finished' || day === '') return word
  return `${word} ${day.length === 10 ? 'on' : 'in'} ${release(day)}`
}
