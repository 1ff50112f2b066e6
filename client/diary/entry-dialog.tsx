import { CirclePlus } from 'lucide-react'
import { useState } from 'react'
import { openLog } from '#client/titles/log-request.ts'
import { OriginButton } from '#client/titles/origin.ts'
import { errorText, trpc } from '#client/app/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { useDates } from '#client/ui/dates.ts'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { Form, TextField } from '#client/ui/field.tsx'
import { commaList } from '#client/ui/formats.ts'
import { KeptTexts } from '#client/ui/kept-texts.tsx'
import { type Question, useQuestion } from '#client/ui/question.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { type NamedTitle, titleKey } from '#client/app/kinds.ts'
import { diaryDateMin } from '#shared/domain/limits.ts'
import {
  type DiaryStatus,
  diaryStatuses,
  isOver,
  type KindDefinition,
  kinds,
  type Verb,
} from '#shared/domain/kinds.ts'
import { dayOf, keptNoteOf, statusWord, today } from './entries.ts'
import { StepLog } from './step-log.tsx'
import { PrivateNote } from './private-note.tsx'
import { type DiaryEntry, useDeleteEntry, useSaveEntry, type Written } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

const shownMax = 160

const finishedOnTexts: Record<Verb, string> = { watch: t`Watched on`, read: t`Read on`, play: t`Played on` }

type Props = DialogControl & {
  title: NamedTitle
  entry: DiaryEntry
  entries: readonly DiaryEntry[]
}

export function EntryDialog({ open, onOpenChange, ...props }: Props) {
  const [chosen, setChosen] = useState(props.entry)
  const { title, entries } = props
  const earlier = entries.filter(({ id, status }) => isOver(status) && id !== chosen.id)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={props.title.name}
      description="Your diary"
      className="max-w-xl!"
    >
      <KeptTexts name={keptNoteOf(props.title.id, chosen)}>
        <EntryForm
          key={`${chosen.id} ${chosen.status}`}
          title={title}
          entry={chosen}
          onDone={() => onOpenChange(false)}
        />
      </KeptTexts>
      <StepLog key={`steps ${chosen.id}`} entry={chosen} onChange={setChosen} />
      <OriginButton key={chosen.id} about={{ entry: chosen.id }} />
      {entries.length > 0 && entries.every(({ status }) => isOver(status)) ? (
        <Button
          className="mt-4"
          icon={<CirclePlus aria-hidden />}
          onClick={() => {
            onOpenChange(false)
            openLog({ title })
          }}
        >
          Log it again
        </Button>
      ) : null}
      {earlier.length === 0 ? null : <Earlier title={title} entries={earlier} onChoose={setChosen} />}
    </Dialog>
  )
}

function EntryForm({ title, entry, onDone }: Pick<Props, 'title' | 'entry'> & { onDone: () => void }) {
  const definition = kinds[title.kind]
  const { diary } = definition.words
  const save = useSaveEntry()
  const remove = useDeleteEntry(title)
  const [ask, question] = useQuestion()
  const utils = trpc.useUtils()
  const { release } = useDates()
  const [newer, setNewer] = useState<DiaryEntry>()
  const [failure, setFailure] = useState<unknown>()
  const [status, setStatus] = useState<DiaryStatus>(entry.status)
  const [isAgain, setAgain] = useState(entry.isAgain)
  const [text, setText] = useState(entry.text)
  // A date without a day is kept unless another one is entered.
  const [startedOn, setStartedOn] = useState(exact(entry.startedOn))
  const [finishedOn, setFinishedOn] = useState(exact(entry.finishedOn))

  function choose(next: DiaryStatus) {
    setStatus(next)
    if (next === 'started' && !entry.startedOn && startedOn === '') setStartedOn(today())
    if (isOver(next) && !entry.finishedOn && finishedOn === '') setFinishedOn(today())
  }

  /** If another tab has changed the entry, shows that first. */
  async function send() {
    const known = newer ?? entry
    setFailure(undefined)
    try {
      const { entries } = await utils.diary.mine.fetch(titleKey(title), { staleTime: 0 })
      const current = entries.find(({ id }) => id === known.id)
      if (current !== undefined && current.updatedAt !== known.updatedAt) return setNewer(current)
    } catch (error) {
      return setFailure(error)
    }
    write()
  }

  function write() {
    const date = (next: string, before: string | null | undefined) =>
      next === exact(before) ? undefined : next === '' ? null : next
    const written: Written = {
      status,
      ...(status !== 'want' && { startedOn: date(startedOn, entry.startedOn), isAgain }),
      ...(isOver(status) && { finishedOn: date(finishedOn, entry.finishedOn) }),
      ...(text !== entry.text && { text }),
    }
    save.mutate({ title, entryId: entry.id, ...written }, { onSuccess: onDone })
  }

  async function discard() {
    if (await remove.deleteEntry(entry)) onDone()
  }

  const failed = failure ?? save.error ?? remove.error
  const known = (date: string | null | undefined) =>
    date && exact(date) === '' ? t`Known so far: ${release(date)}` : undefined
  const field = { type: 'date', min: diaryDateMin, max: today() } as const
  return (
    <Form onSubmit={() => void send()}>
      <Segmented
        label="Status"
        value={status}
        onChange={choose}
        options={diaryStatuses.map((value) => ({ value, label: diary[value] }))}
        className="h-auto! flex-wrap rounded-card!"
      />
      {status === 'want' ? null : (
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            {...field}
            label="Started on"
            note="optional"
            hint={known(entry.startedOn)}
            value={startedOn}
            onChange={setStartedOn}
          />
          {isOver(status) ? (
            <TextField
              {...field}
              label={status === 'finished' ? finishedOnTexts[kinds[title.kind].verb] : t`Stopped on`}
              note="optional"
              hint={known(entry.finishedOn)}
              value={finishedOn}
              onChange={setFinishedOn}
            />
          ) : null}
        </div>
      )}
      {status === 'want' ? null : <Checkbox label={diary.again} checked={isAgain} onChange={setAgain} />}
      <PrivateNote value={text} onChange={setText} />
      {failed ? <Callout tone="error" title={errorText(failed)} /> : null}
      {newer === undefined ? null : (
        <Callout title="This entry has changed since you opened it.">
          It now says:{' '}
          {commaList([
            labelOfEntry(definition, newer, release),
            newer.text !== '' && t`“${newer.text.slice(0, shownMax)}”`,
          ])}
          . Saving replaces that.
        </Callout>
      )}
      <div className="actions sm:justify-between">
        <Button
          variant="ghost"
          className="sm:-ms-4"
          busy={remove.isPending}
          aria-haspopup="dialog"
          onClick={() =>
            ask(deletionOf(entry, labelOfEntry(definition, entry, release), () => void discard()))
          }
        >
          {entry.status === 'want' ? t`Remove from your list` : t`Delete entry`}
        </Button>
        <SubmitButton busy={save.isPending} busyLabel="Saving…">
          {newer === undefined ? t`Save` : t`Replace it`}
        </SubmitButton>
      </div>
      {question}
    </Form>
  )
}

function deletionOf(entry: DiaryEntry, label: string, onConfirm: () => void): Question {
  const description =
    entry.text === '' ? t`Its days go with it.` : t`Its days and its private note go with it.`
  return entry.status === 'want'
    ? { title: t`Remove from your want list?`, description, label: t`Remove`, canUndo: true, onConfirm }
    : { title: t`Delete “${label}”?`, description, label: t`Delete`, canUndo: true, onConfirm }
}

function labelOfEntry(
  definition: KindDefinition,
  entry: DiaryEntry,
  release: (date: string) => string,
): string {
  const day = dayOf(entry)
  return `${statusWord(definition, entry)}${day === '' ? '' : `, ${release(day)}`}`
}

function exact(date: string | null | undefined): string {
  return date?.length === 10 ? date : ''
}

function Earlier({
  title,
  entries,
  onChoose,
}: Pick<Props, 'title' | 'entries'> & { onChoose: (entry: DiaryEntry) => void }) {
  const remove = useDeleteEntry(title)
  const [ask, question] = useQuestion()
  const { release } = useDates()
  return (
    <section aria-labelledby="earlier" className="mt-6 border-t border-line pt-4">
      <h3 id="earlier" className="text-label">
        In your diary
      </h3>
      <ul className="mt-1">
        {entries.map((entry) => {
          const label = labelOfEntry(kinds[title.kind], entry, release)
          return (
            <li key={entry.id} className="flex items-center justify-between gap-3">
              <span className="text-meta text-muted">{label}</span>
              <span className="flex">
                <Button variant="ghost" aria-label={t`Edit: ${label}`} onClick={() => onChoose(entry)}>
                  Edit
                </Button>
                <Button
                  variant="ghost"
                  aria-label={t`Delete: ${label}`}
                  busy={remove.isPending}
                  aria-haspopup="dialog"
                  onClick={() => ask(deletionOf(entry, label, () => void remove.deleteEntry(entry)))}
                >
                  Delete
                </Button>
              </span>
            </li>
          )
        })}
      </ul>
      {remove.error ? <Callout tone="error" title={errorText(remove.error)} /> : null}
      {question}
    </section>
  )
}
