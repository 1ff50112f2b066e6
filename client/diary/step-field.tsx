import { clsx } from 'clsx'
import { useId, useState } from 'react'
import { errorText } from '#client/app/trpc.ts'
import { ShareBar } from '#client/titles/share-bar.tsx'
import { SubmitButton } from '#client/ui/button.tsx'
import { inputClass } from '#client/ui/field-look.ts'
import type { ProgressUnit } from '#shared/domain/kinds.ts'
import { plural, t } from '#shared/domain/message.ts'
import { reachedText } from './entries.ts'
import type { DiaryEntry } from './hooks.ts'
import { unitOf, useAddStep } from './step-hooks.ts'

const labels: Record<ProgressUnit, (name: string) => string> = {
  page: (name) => t`Page of ${name}`,
  percent: (name) => t`Percent of ${name}`,
  hours: (name) => t`Hours in ${name}`,
  minutes: (name) => t`Minutes of ${name}`,
}

/** Before anything is said. */
function lengthOf(unit: ProgressUnit, { runtime, pageCount }: DiaryEntry): string {
  if (unit === 'percent') return '%'
  if (unit === 'hours') return t`hours`
  if (unit === 'minutes') return runtime === null ? t`minutes` : t`of ${runtime} min`
  return pageCount === null ? t`pages` : plural(pageCount, { one: 'of # page', other: 'of # pages' })
}

/** How far the member is, and one field to say so; nothing for a show. */
export function StepField({
  entry,
  onSaved,
  className,
}: {
  entry: DiaryEntry
  onSaved?: (entry: DiaryEntry) => void
  className?: string
}) {
  const unit = unitOf(entry)
  const reached = entry.progress?.value
  const add = useAddStep(entry)
  const [typed, setTyped] = useState<string>()
  const id = useId()
  if (unit === null) return null
  const text = typed ?? (reached === undefined ? '' : String(reached))
  const value = Number(text.replace(',', '.'))
  const isNumber = text.trim() !== '' && Number.isFinite(value)
  const percent = entry.progress?.percent ?? null
  return (
    <form
      noValidate
      className={clsx('relative', className)}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isNumber || add.isPending) return
        add.mutate(
          { unit, value },
          {
            onSuccess(saved) {
              setTyped(undefined)
              onSaved?.(saved.entry)
            },
          },
        )
      }}
    >
      <p id={`${id}-length`} className="truncate text-meta text-muted tabular-nums">
        {entry.progress === null ? lengthOf(unit, entry) : reachedText(entry.progress)}
      </p>
      {percent === null ? null : <ShareBar value={percent} max={100} className="mt-1" />}
      <div className="mt-2 flex items-center gap-2">
        <input
          inputMode={unit === 'hours' ? 'decimal' : 'numeric'}
          autoComplete="off"
          maxLength={9}
          aria-label={labels[unit](entry.title.name)}
          aria-describedby={`${id}-length`}
          aria-invalid={add.error !== null}
          aria-errormessage={add.error === null ? undefined : `${id}-error`}
          value={text}
          onChange={(event) => setTyped(event.currentTarget.value)}
          className={clsx(inputClass, 'h-11 min-w-0 max-w-28 px-2.5! text-center tabular-nums')}
        />
        <SubmitButton
          variant="outline"
          busy={add.isPending}
          disabled={!isNumber || value === reached}
          aria-label={t`Update: ${entry.title.name}`}
        >
          Update
        </SubmitButton>
      </div>
      {add.error === null ? null : (
        <p id={`${id}-error`} role="alert" className="mt-1 text-meta text-danger">
          {errorText(add.error)}
        </p>
      )}
    </form>
  )
}
