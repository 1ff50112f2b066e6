import { useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { errorText, retryOnce, trpc } from '#client/app/trpc.ts'
import { OriginButton } from '#client/titles/origin.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { Form, TextArea, TextField } from '#client/ui/field.tsx'
import { useForgetTexts } from '#client/ui/kept-texts.tsx'
import { listNoteMax } from '#shared/domain/limits.ts'
import type { Item, List } from './hooks.ts'
import { plural, t } from '#shared/domain/message.ts'

type TitleProps = {
  list: List
  item: Item
  onMove: (position: number) => void
  onRemove: () => void
  onClose: () => void
}

export function TitleDialog(props: TitleProps) {
  const { list, item, onClose } = props
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={item.title.name}
      about={`item ${item.title.id} of list ${list.id}`}
    >
      <ItemForm {...props} />
      <OriginButton about={{ item: item.title.id, list: list.id }} />
    </Dialog>
  )
}

function ItemForm({ list, item, onMove, onRemove, onClose }: TitleProps) {
  const forget = useForgetTexts()
  const [position, setPosition] = useState(String(item.position))
  const [note, setNote] = useState(item.note)
  const [errors, setErrors] = useState<PositionErrors>()
  const save = trpc.lists.editItem.useMutation({
    ...retryOnce,
    onSuccess() {
      void changed('listTitles', list.id)
      forget()
      onClose()
    },
  })
  return (
    <Form
      errors={errors}
      onSubmit={() => {
        const to = readPosition(position, list.itemCount)
        if (to === undefined) return setErrors(wrongPosition(list.itemCount))
        if (to !== item.position) onMove(to)
        if (note === item.note) return onClose()
        save.mutate({ id: list.id, itemId: item.title.id, note })
      }}
    >
      <TextField
        label="Move to position"
        name="position"
        inputMode="numeric"
        value={position}
        onChange={setPosition}
      />
      <TextArea label="Note" note="optional" rows={3} limit={listNoteMax} value={note} onChange={setNote} />
      {save.error ? <Callout tone="error" title={errorText(save.error)} /> : null}
      <div className="actions sm:justify-between">
        <Button
          variant="ghost"
          className="sm:-ms-4"
          onClick={() => {
            onRemove()
            forget()
            onClose()
          }}
        >
          Remove from the list
        </Button>
        <SubmitButton busy={save.isPending} busyLabel="Saving…">
          Save
        </SubmitButton>
      </div>
    </Form>
  )
}

export function PositionDialog({
  count,
  max,
  onMove,
  ...control
}: DialogControl & {
  count: number
  max: number
  onMove: (position: number) => void
}) {
  const [position, setPosition] = useState('1')
  const [errors, setErrors] = useState<PositionErrors>()
  return (
    <Dialog {...control} title={plural(count, { one: 'Move # title', other: 'Move # titles' })}>
      <Form
        errors={errors}
        onSubmit={() => {
          const to = readPosition(position, max)
          if (to === undefined) return setErrors(wrongPosition(max))
          onMove(to)
          control.onOpenChange(false)
        }}
      >
        <TextField
          label="Position"
          name="position"
          inputMode="numeric"
          hint={t`From 1 to ${max}. They stay in their order.`}
          value={position}
          onChange={setPosition}
        />
        <div className="actions">
          <SubmitButton>Move</SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}

type PositionErrors = { position: string }
const wrongPosition = (max: number): PositionErrors => ({ position: t`A number from 1 to ${max}.` })

function readPosition(text: string, max: number): number | undefined {
  const position = Number(text)
  return Number.isInteger(position) && position >= 1 ? Math.min(position, max) : undefined
}
