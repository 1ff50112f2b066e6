import { useState } from 'react'
import { RulePicker } from '#client/members/rule-picker.tsx'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { TextArea } from '#client/ui/field.tsx'
import { useForgetTexts } from '#client/ui/kept-texts.tsx'
import { Select } from '#client/ui/select.tsx'
import { decisionTextMax } from '#shared/domain/limits.ts'
import { type Decidable, reasonOf, wordsOf } from './actions.ts'
import type { Decision } from './hooks.ts'
import { type DecisionAction, decisionActions, isRestriction } from '#shared/domain/moderation.ts'
import { t } from '#shared/domain/message.ts'
import { dayMs } from '#shared/domain/days.ts'

const durations = [
  { value: '1', label: t`1 day` },
  { value: '7', label: t`7 days` },
  { value: '30', label: t`30 days` },
  { value: '365', label: t`a year` },
  { value: '', label: t`for good` },
]
const periods = [
  { value: '1', label: t`the last day` },
  { value: '7', label: t`the last 7 days` },
  { value: '30', label: t`the last 30 days` },
  { value: '', label: t`all of it` },
]

type Props = {
  found: Decidable
  action: DecisionAction
  onClose: () => void
  onDecide: (decision: Decision) => void
}

export function DecisionDialog(props: Props) {
  const { found, action, onClose } = props
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={<span className="wrap-anywhere">{wordsOf(action, found).question}</span>}
      description={decisionActions[action].effect}
      about={`decision ${found.target.type} ${found.target.id}`}
    >
      <DecisionForm {...props} />
    </Dialog>
  )
}

function DecisionForm({ found, action, onClose, onDecide }: Props) {
  const forget = useForgetTexts()
  const [reason, setReason] = useState('')
  const [ruleIds, setRuleIds] = useState<string[]>([])
  const [length, setLength] = useState('7')
  const [period, setPeriod] = useState('')
  const [keepsRating, setKeepsRating] = useState(true)
  const isLimited = isRestriction(action)
  const hasRatings = action === 'removeAll' || (action === 'remove' && found.target.type === 'review')

  function close() {
    forget()
    onClose()
  }

  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        close()
        onDecide({
          action,
          reason: reason.trim() || reasonOf(found),
          ruleIds,
          ...(isLimited &&
            length !== '' && { until: new Date(Date.now() + Number(length) * dayMs).toISOString() }),
          ...(action === 'removeAll' && period !== '' && { days: Number(period) }),
          ...(hasRatings && { keepsRating }),
        })
      }}
    >
      {isLimited ? (
        <Select
          shape="field"
          label="How long"
          value={length}
          onChange={setLength}
          options={durations.filter(({ value }) => value !== '' || action !== 'freeze')}
        />
      ) : null}
      {action === 'removeAll' ? (
        <Select shape="field" label="Remove" value={period} onChange={setPeriod} options={periods} />
      ) : null}
      <RulePicker ids={ruleIds} onChange={setRuleIds} />
      <TextArea
        label="Reason"
        note="the member reads it"
        rows={3}
        value={reason}
        onChange={setReason}
        placeholder={reasonOf(found)}
        limit={decisionTextMax}
      />
      {hasRatings ? (
        <Checkbox
          label="The ratings still count"
          hint="In averages, histograms and popular titles."
          checked={keepsRating}
          onChange={setKeepsRating}
        />
      ) : null}
      <div className="actions">
        <Button onClick={close}>Cancel</Button>
        <SubmitButton>{decisionActions[action].name}</SubmitButton>
      </div>
    </form>
  )
}
