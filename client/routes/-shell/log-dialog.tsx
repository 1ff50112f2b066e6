import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { currentEntry, keptNoteOf, today } from '#client/diary/entries.ts'
import { useMyDiary, useSaveEntry } from '#client/diary/hooks.ts'
import { PrivateNote } from '#client/diary/private-note.tsx'
import { TitleRow } from '#client/titles/found-titles.tsx'
import { type LogRequest, type LogTitle, openLog } from '#client/titles/log-request.ts'
import { getMyRating, useMyRating } from '#client/titles/my-titles.ts'
import { TitlePicker } from '#client/titles/title-picker.tsx'
import { myReview } from '#client/reviews/queries.ts'
import { SafeUpTo } from '#client/reviews/safe-up-to.tsx'
import { useGuard } from '#client/reviews/use-guard.tsx'
import { useSaveReview } from '#client/reviews/write-hooks.ts'
import { errorText } from '#client/app/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Form, TextArea, TextField } from '#client/ui/field.tsx'
import { KeptTexts } from '#client/ui/kept-texts.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { type StarCount, StarsInput } from '#client/ui/stars-input.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { titleKey } from '#client/app/kinds.ts'
import type { ShownSafeUpTo } from '#shared/contracts/reviews.ts'
import { diaryDateMin, reviewTextMax } from '#shared/domain/limits.ts'
import { type DiaryStatus, diaryStatuses, isOver, kinds } from '#shared/domain/kinds.ts'
import { byFlag, reviewFlags } from '#shared/domain/review-flags.ts'
import { messages } from '#shared/texts/messages.ts'
import { t } from '#shared/domain/message.ts'

/** The one form to log. Open while there is a request. */
export function LogDialog({ request }: { request: LogRequest | null }) {
  // Keeps its content while it closes.
  const [last, setLast] = useState({ request, count: 0 })
  if (request !== null && request !== last.request) setLast({ request, count: last.count + 1 })
  const submit = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      initialFocus={last.request?.status ? submit : undefined}
      open={request !== null}
      onOpenChange={(isOpen) => isOpen || openLog(null)}
      title="Log"
      className="max-w-xl!"
    >
      {last.request === null ? null : <Log key={last.count} request={last.request} submit={submit} />}
    </Dialog>
  )
}

type Submit = RefObject<HTMLButtonElement | null>
type LogProps = { title: LogTitle; request: LogRequest; submit: Submit }

function Log({ request, submit }: { request: LogRequest; submit: Submit }) {
  const [title, setTitle] = useState(request.title)
  if (title === undefined)
    return <TitlePicker isTall label="What did you watch, read or play?" onChoose={setTitle} />
  return <LogOf title={title} request={request} submit={submit} onChange={() => setTitle(undefined)} />
}

function LogOf({ title, request, submit, onChange }: LogProps & { onChange: () => void }) {
  const mine = useMyDiary(title)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex items-center gap-3" data-kind={title.kind}>
        {'imageUrl' in title ? (
          <TitleRow title={title} />
        ) : (
          <p className="font-display text-h3 wrap-anywhere">
            <bdi>{title.name}</bdi>
          </p>
        )}
        {'imageUrl' in title ? (
          <Button variant="ghost" className="ms-auto" onClick={onChange}>
            Change<span className="sr-only"> the title</span>
          </Button>
        ) : null}
      </div>
      {/* The note of the same entry as in the title’s own form. */}
      <KeptTexts name={keptNoteOf(title.id, undefined)} isReady={!mine.isPending}>
        <LogForm key={title.id} title={title} request={request} submit={submit} />
      </KeptTexts>
    </div>
  )
}

function LogForm({ title, request, submit }: LogProps) {
  const definition = kinds[title.kind]
  const { diary } = definition.words
  const rated = useMyRating(title.id)
  const mine = useMyDiary(title)
  const saveReview = useSaveReview(title)
  const saveEntry = useSaveEntry()
  const [given, setGiven] = useState<StarCount | null>(request.stars ?? null)
  const [status, setStatus] = useState<DiaryStatus>(request.status ?? 'finished')
  const [day, setDay] = useState(request.day)
  const [isAgain, setAgain] = useState<boolean>()
  const [text, setText] = useState<string>()
  const [review, setReview] = useState('')
  const [hasSpoilers, setSpoilers] = useState(false)
  const [safeUpTo, setSafeUpTo] = useState<ShownSafeUpTo | null>(null)
  const [hasNote, setHasNote] = useState(false)
  const own = useQuery(myReview(title))
  const mayReview = own.data === null || own.data?.text === ''
  const { guard, question } = useGuard(title)
  const queryClient = useQueryClient()
  const entry = currentEntry(mine.data?.entries ?? [])
  const wasOver = (mine.data?.entries ?? []).some((one) => isOver(one.status))
  const again = isAgain ?? (wasOver && entry === undefined)
  // The pressed row is gone, and the focus with it.
  const stars = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (request.title !== undefined) return
    const all = [...(stars.current?.querySelectorAll<HTMLInputElement>('[type=radio]') ?? [])]
    const chosen = all.find((radio) => radio.checked)
    const target = chosen ?? all[0]
    target?.focus()
  }, [request])
  const note = text ?? entry?.text ?? ''
  const begunOn = status === 'started' ? entry?.startedOn : null
  const shownDay = day ?? begunOn ?? today()
  const rating = given ?? ((rated ?? null) as StarCount | null)
  const [failure, setFailure] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)

  async function save() {
    setSaving(true)
    setFailure(undefined)
    try {
      const written = status === 'want' ? '' : review.trim()
      if (written !== '') {
        if (rating === null) return setFailure(new Error(messages.ratingRequired))
        const reviewed = { text: written, hasSpoilers, safeUpTo }
        await guard(
          { base: '', written: { ...byFlag(() => false), ...reviewed } },
          async () => (await saveReview.mutateAsync({ ...titleKey(title), rating, ...reviewed })).review,
        )
      } else if (given !== null && given !== getMyRating(queryClient, title.id))
        await saveReview.mutateAsync({ ...titleKey(title), rating: given })
      await saveEntry.mutateAsync({
        title,
        entryId: entry?.id,
        status,
        ...(status !== 'want' && { isAgain: again }),
        ...(isOver(status) && { finishedOn: shownDay || null }),
        // A known start stays unless another one is chosen.
        ...(status === 'started' && (day !== undefined || !begunOn) && { startedOn: shownDay || null }),
        ...(text !== undefined && { text }),
      })
      showDone(
        status === 'want' ? t`“${title.name}” is on your want list` : t`“${title.name}” is in your diary`,
      )
      openLog(null)
    } catch (error) {
      setFailure(error)
    } finally {
      setSaving(false)
    }
  }

  return (
    <Form onSubmit={() => void save()}>
      {status === 'want' ? null : (
        <div ref={stars}>
          <StarsInput label="Your rating" value={rating} onChange={setGiven} required={given === null} />
        </div>
      )}
      <Segmented
        label="Status"
        value={status}
        onChange={setStatus}
        options={statuses.map((value) => ({ value, label: diary[value] }))}
        className="h-auto! flex-wrap rounded-card!"
      />
      {isOver(status) || status === 'started' ? (
        <TextField
          label="Date"
          type="date"
          min={diaryDateMin}
          max={today()}
          value={shownDay}
          onChange={setDay}
        />
      ) : null}
      {wasOver && status !== 'want' ? (
        <Checkbox label={diary.again} checked={again} onChange={setAgain} />
      ) : null}
      {mayReview && status !== 'want' ? (
        <TextArea
          label="Review"
          note="optional"
          rows={3}
          limit={reviewTextMax}
          value={review}
          onChange={setReview}
        />
      ) : null}
      {review.trim() === '' || status === 'want' ? null : (
        <>
          <Checkbox label={reviewFlags.hasSpoilers.label} checked={hasSpoilers} onChange={setSpoilers} />
          <SafeUpTo title={title} value={safeUpTo} onChange={setSafeUpTo} disabled={isSaving} />
        </>
      )}
      {hasNote || note !== '' ? (
        <PrivateNote value={note} onChange={setText} readOnly={mine.isPending} />
      ) : (
        <Button variant="ghost" className="-ms-4 justify-self-start" onClick={() => setHasNote(true)}>
          Add a private note
        </Button>
      )}
      {question}
      {failure === undefined ? null : <Callout tone="error" title={errorText(failure)} />}
      <SubmitButton
        ref={submit}
        size="lg"
        // Before the entries are loaded, a second entry would be added beside one in progress.
        busy={isSaving || mine.isPending}
        busyLabel="Saving…"
      >
        {status === 'want' ? t`Add to your want list` : t`Log`}
      </SubmitButton>
    </Form>
  )
}

const statuses = ['finished', ...diaryStatuses.filter((status) => status !== 'finished')] as const
