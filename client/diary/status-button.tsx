import { NotebookPen } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { diaryIcons } from '#client/titles/diary-icons.ts'
import type { NamedTitle } from '#client/app/kinds.ts'
import { openLog } from '#client/titles/log-request.ts'
import { useKnownStatus, useMyRating } from '#client/titles/my-titles.ts'
import { Button, type ButtonSize } from '#client/ui/button.tsx'
import { type Dates, useDates } from '#client/ui/dates.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { showFailure } from '#client/app/trpc.ts'
import { type KindDefinition, kinds } from '#shared/domain/kinds.ts'
import { dayOf, shownEntry, statusWord } from './entries.ts'
import { addToWantList, type DiaryEntry, useMyDiary } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

const { Component: EntryDialog, load } = lazyComponent(
  async () => (await import('./entry-dialog.tsx')).EntryDialog,
)

/**
 * Use `DiaryButton`, which lazy-loads this for members. The first press adds a title to the want list, unless the member has rated it. `isOpening`: the
 * placeholder was pressed.
 */
export function StatusButton({
  title,
  icon,
  size,
  isOpening,
}: {
  title: NamedTitle
  icon: ReactNode
  size?: ButtonSize | undefined
  isOpening: boolean
}) {
  const definition = kinds[title.kind]
  const mine = useMyDiary(title)
  const rating = useMyRating(title.id)
  const [isOpen, setOpen] = useState(false)
  const [opened, setOpened] = useState(0)
  const dates = useDates()
  const wasPressed = useRef(isOpening)
  useEffect(() => {
    if (!wasPressed.current || mine.data === undefined || rating === undefined) return
    wasPressed.current = false
    if (mine.data.status !== null || rating !== null) openForm()
    else addToWantList(title, open)
  })

  function open() {
    load()
    setOpened((count) => count + 1)
    setOpen(true)
  }
  function openForm() {
    const openFor = (entries: readonly DiaryEntry[]) => (entries.length === 0 ? openLog({ title }) : open())
    if (mine.data !== undefined) return openFor(mine.data.entries)
    load()
    void mine.refetch({ cancelRefetch: false }).then(({ data, error }) => {
      if (data !== undefined) return openFor(data.entries)
      showFailure(t`Your diary did not load`, error)
    })
  }
  const want = () => addToWantList(title, open)
  // A list that shows the title has already loaded its status.
  const known = useKnownStatus(title.id) ?? null
  const { status, entries } = mine.data ?? { status: known, entries: [] }
  const edited = shownEntry(entries)
  const shown = status === null ? undefined : entries.find((entry) => entry.status === status)
  const Icon = status === null ? undefined : diaryIcons[status]
  const loading = { onPointerEnter: load, onFocus: load }
  return (
    <>
      {Icon ? (
        <Button
          {...loading}
          size={size}
          icon={<Icon aria-hidden />}
          aria-haspopup="dialog"
          // Red beside gold stars would read as an error.
          className="picked bg-raised! text-ink!"
          onClick={openForm}
        >
          {shown === undefined || size === 'sm'
            ? definition.words.diary[status ?? 'want']
            : labelOf(definition, shown, dates)}
          {mine.data === undefined ? null : <VisuallyHidden> {t`(change your diary)`}</VisuallyHidden>}
        </Button>
      ) : (
        <>
          {(rating ?? null) === null ? (
            <Button {...loading} size={size} icon={icon} onClick={want}>
              {definition.words.diary.want}
            </Button>
          ) : null}
          <Button
            {...loading}
            size={size}
            icon={<NotebookPen aria-hidden />}
            aria-haspopup="dialog"
            onClick={openForm}
          >
            {t`Log`}
            <VisuallyHidden> {t`(not in your diary)`}</VisuallyHidden>
          </Button>
        </>
      )}
      {edited !== undefined ? (
        <EntryDialog
          key={opened}
          title={title}
          entry={edited}
          entries={entries}
          open={isOpen}
          onOpenChange={setOpen}
        />
      ) : null}
    </>
  )
}

/** “Watching”, “Watched on 4 Feb 2026” or “Watched again in May 2026”. */
function labelOf(definition: KindDefinition, entry: DiaryEntry, { date, release }: Dates): string {
  const word = statusWord(definition, entry)
  const day = dayOf(entry)
  if (entry.status !== 'finished' || day === '') return word
  return day.length === 10 ? t`${word} on ${date(day)}` : t`${word} in ${release(day)}`
}
