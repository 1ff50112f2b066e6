import { Trash2 } from 'lucide-react'
import { trpc } from '#client/app/trpc.ts'
import { errorText } from '#client/app/trpc.ts'
import { titleKey } from '#client/app/kinds.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { useQuestion } from '#client/ui/question.tsx'
import { Time } from '#client/ui/time.tsx'
import { isOver } from '#shared/domain/kinds.ts'
import { t } from '#shared/domain/message.ts'
import { reachedText } from './entries.ts'
import type { DiaryEntry } from './hooks.ts'
import { StepField } from './step-field.tsx'
import { finishText, unitOf, useFinish, useRemoveStep } from './step-hooks.ts'

const shownMax = 10

/** The field of an entry under way, and what was said before. */
export function StepLog({ entry, onChange }: { entry: DiaryEntry; onChange: (entry: DiaryEntry) => void }) {
  const { data } = trpc.diary.steps.useQuery(
    { id: entry.id, limit: shownMax },
    { enabled: entry.progress !== null },
  )
  const utils = trpc.useUtils()
  const remove = useRemoveStep()
  const finish = useFinish()
  const [ask, question] = useQuestion()
  if (unitOf(entry) === null) return null
  const steps = entry.progress === null ? [] : (data?.steps ?? [])
  if (isOver(entry.status) && steps.length === 0) return null

  async function discard(stepId: number) {
    await remove.mutateAsync({ id: entry.id, stepId })
    const { entries } = await utils.diary.mine.fetch(titleKey(entry.title), { staleTime: 0 })
    const current = entries.find(({ id }) => id === entry.id)
    if (current) onChange(current)
  }

  return (
    <section aria-labelledby={`steps-${entry.id}`} className="mt-6 border-t border-line pt-4">
      <h3 id={`steps-${entry.id}`} className="mb-2 text-label">
        Progress
      </h3>
      {isOver(entry.status) ? null : <StepField entry={entry} onSaved={onChange} className="max-w-sm" />}
      {entry.progress?.percent === 100 && !isOver(entry.status) ? (
        <Button className="mt-3" busy={finish.isPending(entry.id)} onClick={() => finish.finish(entry)}>
          {finishText(entry.title)}
        </Button>
      ) : null}
      {steps.length === 0 ? null : (
        <ol aria-label={t`Progress`} className="mt-2">
          {steps.map((step) => {
            const label = reachedText({ ...step, total: null })
            return (
              <li key={step.id} className="flex items-center justify-between gap-3 text-meta">
                <span className="min-w-0">
                  <span className="tabular-nums">{label}</span>
                  <span className="text-muted">
                    {' · '}
                    <Time value={step.on} />
                  </span>
                  {step.text === '' ? null : (
                    <span dir="auto" className="line-clamp-2 wrap-anywhere text-muted">
                      {step.text}
                    </span>
                  )}
                </span>
                <IconButton
                  label={t`Delete: ${label}`}
                  aria-haspopup="dialog"
                  busy={remove.isPending && remove.variables.stepId === step.id}
                  onClick={() =>
                    ask({
                      title: t`Delete “${label}”?`,
                      description: t`It is gone from the progress of this entry.`,
                      label: t`Delete`,
                      onConfirm: () => void discard(step.id).catch(() => {}),
                    })
                  }
                >
                  <Trash2 aria-hidden />
                </IconButton>
              </li>
            )
          })}
        </ol>
      )}
      {remove.error ? <Callout tone="error" title={errorText(remove.error)} /> : null}
      {question}
    </section>
  )
}
