import { useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { errorText, trpc } from '#client/app/trpc.ts'
import { Callout } from '#client/ui/callout.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { Form, TextArea, TextField } from '#client/ui/field.tsx'
import { Select } from '#client/ui/select.tsx'
import { SubmitButton } from '#client/ui/button.tsx'
import { descriptionMax, listTitleMax } from '#shared/domain/limits.ts'
import { listVisibilities, type ListVisibility, visibilityLabels } from '#shared/domain/visibilities.ts'
import { messages } from '#shared/texts/messages.ts'
import { type List } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

const options = listVisibilities.toReversed().map((value) => ({ value, label: visibilityLabels[value] }))

export function ListDialog({
  list,
  onDone,
  ...control
}: DialogControl & {
  list?: List | undefined
  onDone: (list: List) => void
}) {
  return (
    <Dialog
      {...control}
      title={list ? t`List settings` : t`New list`}
      about={`list ${list?.id ?? 'new'}`}
      className="max-w-xl!"
    >
      <ListForm list={list} onDone={onDone} />
    </Dialog>
  )
}

function ListForm({ list, onDone }: { list?: List | undefined; onDone: (list: List) => void }) {
  const saved = {
    onSuccess({ list: next }: { list: List }) {
      void changed('list', next.id)
      onDone(next)
    },
  }
  const create = trpc.lists.create.useMutation(saved)
  const edit = trpc.lists.edit.useMutation(saved)
  const [title, setTitle] = useState(list?.title ?? '')
  const [description, setDescription] = useState(list?.description ?? '')
  const [tags, setTags] = useState(list?.tags.join(', ') ?? '')
  const [isRanked, setRanked] = useState(list?.isRanked ?? false)
  const [visibility, setVisibility] = useState<ListVisibility>(list?.visibility ?? 'public')
  const [errors, setErrors] = useState<{ title: string }>()
  const { error, isPending } = list ? edit : create
  return (
    <Form
      errors={errors}
      onSubmit={() => {
        if (title.trim() === '') return setErrors({ title: messages.listTitleRequired })
        const words = tags.split(',').map((tag) => tag.trim())
        const values = { title, description, isRanked, visibility, tags: words.filter(Boolean) }
        if (list) edit.mutate({ id: list.id, ...values })
        else create.mutate(values)
      }}
    >
      <TextField
        label="Title"
        name="title"
        value={title}
        onChange={setTitle}
        required
        maxLength={listTitleMax}
      />
      <TextArea
        label="Description"
        note="optional"
        rows={3}
        limit={descriptionMax}
        value={description}
        onChange={setDescription}
      />
      <Checkbox
        label="Ranked"
        hint="The order is a ranking, with numbers."
        checked={isRanked}
        onChange={setRanked}
      />
      <Select
        label="Who can see it"
        shape="field"
        value={visibility}
        options={options}
        onChange={setVisibility}
      />
      <TextField
        label="Tags"
        note="optional"
        hint="Up to ten, separated by commas."
        value={tags}
        onChange={setTags}
      />
      {error ? <Callout tone="error" title={errorText(error)} /> : null}
      <div className="actions">
        <SubmitButton busy={isPending} busyLabel="Saving…">
          {list ? t`Save` : t`Create list`}
        </SubmitButton>
      </div>
    </Form>
  )
}
