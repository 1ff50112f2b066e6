import { useState } from 'react'
import { RulePicker } from './rule-picker.tsx'
import { changed } from '#client/app/facts.ts'
import { errorText, trpc } from '#client/app/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { TextArea } from '#client/ui/field.tsx'
import { useForgetTexts } from '#client/ui/kept-texts.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { reportCommentMax } from '#shared/domain/limits.ts'
import { reportCategories, type ReportCategory, type ReportTarget } from '#shared/domain/moderation.ts'
import { t } from '#shared/domain/message.ts'

type Reported = { type: ReportTarget; id: number; linkKey?: string | undefined; onClose: () => void }

/** Use `ReportButton`, which lazy-loads this. */
export function ReportDialog({ heading, ...reported }: Reported & { heading: string }) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || reported.onClose()}
      title={heading}
      about={`report ${reported.type} ${reported.id}`}
      description="Only the moderators see your report. Its author does not learn who sent it."
    >
      <ReportForm {...reported} />
    </Dialog>
  )
}

function ReportForm({ type, id, linkKey, onClose }: Reported) {
  const report = trpc.moderation.report.useMutation()
  const forget = useForgetTexts()
  const [category, setCategory] = useState<ReportCategory>()
  const [ruleIds, setRuleIds] = useState<string[]>([])
  const [comment, setComment] = useState('')
  const [problem, setProblem] = useState<string>()

  function close() {
    forget()
    onClose()
  }

  function send() {
    if (report.isPending) return
    if (category === undefined) return setProblem(t`Please say what is wrong.`)
    report.mutate(
      { target: { type, id }, key: linkKey, category, comment, ...(category === 'rule' && { ruleIds }) },
      {
        onSuccess() {
          close()
          void changed('report')
          toasts.add({
            tone: 'success',
            title: t`Thank you for your report`,
            description: t`A moderator will look at it. Settings → Account shows what became of it.`,
          })
        },
        onError: (error) => setProblem(errorText(error)),
      },
    )
  }

  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <fieldset className="grid gap-0.5">
        <legend className="mb-1 text-label">What is wrong?</legend>
        {Object.entries(reportCategories).map(([name, words]) => (
          <label key={name} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="radio"
              name="category"
              className="size-5 shrink-0 accent-ink"
              checked={category === name}
              onChange={() => {
                setCategory(name as ReportCategory)
                setProblem(undefined)
              }}
            />
            {words}
          </label>
        ))}
      </fieldset>
      {category === 'rule' ? <RulePicker ids={ruleIds} onChange={setRuleIds} /> : null}
      <TextArea
        label="Comment"
        note="optional"
        rows={3}
        value={comment}
        onChange={setComment}
        limit={reportCommentMax}
      />
      {problem === undefined ? null : (
        <p role="alert" className="text-meta text-danger">
          {problem}
        </p>
      )}
      <div className="actions">
        <Button onClick={close}>Cancel</Button>
        <SubmitButton busy={report.isPending} busyLabel="Sending…">
          Report
        </SubmitButton>
      </div>
    </form>
  )
}
