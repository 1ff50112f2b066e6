import { Link } from '@tanstack/react-router'
import { Clapperboard, PenLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { titlePath } from '#client/app/kinds.ts'
import { nextPage, type RouterOutputs, showFailure, trpc } from '#client/app/trpc.ts'
import { uploadErrorText, uploadPicture } from '#client/app/upload.ts'
import { Button, IconButton, SubmitButton } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { TextArea, TextField } from '#client/ui/field.tsx'
import { FileField } from '#client/ui/file-field.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { Time } from '#client/ui/time.tsx'
import { useForgetTexts } from '#client/ui/kept-texts.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { PagedList } from './paged-list.tsx'
import { DecisionDialog } from './reports/decision-dialog.tsx'
import { type Decision, useUndo } from './reports/hooks.ts'
import { plural, t } from '#shared/domain/message.ts'

type CreatedTitle = RouterOutputs['moderation']['titles']['titles'][number]

export function TitlesSection() {
  const list = trpc.moderation.titles.useInfiniteQuery({}, nextPage)
  const titles = list.data?.pages.flatMap((page) => page.titles)
  const [edited, setEdited] = useState<CreatedTitle>()
  return (
    <>
      <h1 className="text-h2">Titles</h1>
      <p className="mt-1 max-w-[60ch] text-muted">What members have created, also by imports.</p>
      <PagedList
        list={list}
        rows={titles}
        failure="The titles did not load"
        pending={{ count: 3, each: 'h-16' }}
        empty={
          <EmptyState icon={<Clapperboard aria-hidden />} title="No titles" className="mt-6">
            Members have created none yet.
          </EmptyState>
        }
      >
        {(rows) => (
          <ul className="mt-6 border-t border-line">
            {rows.map((title) => (
              <TitleRow key={title.id} title={title} onEdit={() => setEdited(title)} />
            ))}
          </ul>
        )}
      </PagedList>
      {edited ? <CorrectDialog title={edited} onClose={() => setEdited(undefined)} /> : null}
    </>
  )
}

function TitleRow({ title, onEdit }: { title: CreatedTitle; onEdit: () => void }) {
  const { id, kind, name, releaseYear, imageUrl, creator, createdAt, ratingCount, isRemoved } = title
  const remove = useRemove(id)
  const [isAsking, setAsking] = useState(false)
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line py-2.5">
      <span className="h-14 w-10 overflow-hidden rounded-item bg-raised">
        <Picture src={imageUrl} sizes="2.5rem" />
      </span>
      <div className="min-w-0">
        <p className="text-label wrap-anywhere">
          {isRemoved ? (
            name
          ) : (
            <Link to={titlePath(kinds[kind], id)} className="hover:underline">
              {name}
            </Link>
          )}{' '}
          {releaseYear === null ? null : <span className="text-meta text-muted">{releaseYear}</span>}
        </p>
        <p className="flex flex-wrap gap-x-2 text-meta text-muted">
          {kinds[kind].words.one} · {creator?.username ?? t`a deleted account`} ·{' '}
          <Time value={createdAt} relative /> · {plural(ratingCount, { one: '# rating', other: '# ratings' })}
          {isRemoved ? <strong className="text-danger">Removed</strong> : null}
        </p>
      </div>
      <div className="flex">
        <IconButton label={t`Correct ${name}`} onClick={onEdit}>
          <PenLine aria-hidden />
        </IconButton>
        {isRemoved ? null : (
          <IconButton
            label={t`Remove ${name}`}
            busy={remove.isPending}
            aria-haspopup="dialog"
            onClick={() => setAsking(true)}
          >
            <Trash2 aria-hidden />
          </IconButton>
        )}
        {isAsking ? (
          <DecisionDialog
            found={{
              target: { type: 'title', id },
              member: creator,
              snapshot: { title: { name }, text: name },
              categories: [],
            }}
            action="remove"
            onClose={() => setAsking(false)}
            onDecide={(decision) => void remove.start(decision)}
          />
        ) : null}
      </div>
    </li>
  )
}

/** Opens a case and decides it; a toast undoes that. */
function useRemove(id: number) {
  const open = trpc.moderation.open.useMutation()
  const decide = trpc.moderation.decide.useMutation()
  const undo = useUndo()
  return {
    isPending: open.isPending || decide.isPending,
    async start(decision: Decision) {
      try {
        const { case: opened } = await open.mutateAsync({ target: { type: 'title', id } })
        const { decisionId } = await decide.mutateAsync({ id: opened.id, ...decision })
        void changed('case')
        toasts.add({
          tone: 'success',
          title: t`The title is removed`,
          timeoutMs: 10_000,
          action: { label: t`Undo`, onAction: () => undo(decisionId) },
        })
      } catch (error) {
        showFailure(t`The title was not removed`, error)
      }
    },
  }
}

type CorrectProps = { title: CreatedTitle; onClose: () => void }

function CorrectDialog(props: CorrectProps) {
  const { title, onClose } = props
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t`Correct ${title.name}`}
      about={`correct ${title.id}`}
    >
      <CorrectForm {...props} />
    </Dialog>
  )
}

function CorrectForm({ title, onClose }: CorrectProps) {
  const forget = useForgetTexts()
  const correct = trpc.moderation.correctTitle.useMutation()
  const [name, setName] = useState(title.name)
  const [year, setYear] = useState(title.releaseYear?.toString() ?? '')
  const [overview, setOverview] = useState(title.overview ?? '')
  const [picture, setPicture] = useState<File | null>(null)
  const [hasPicture, setHasPicture] = useState(title.imageUrl !== null)
  const [isUploading, setUploading] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function save() {
    setUploading(true)
    try {
      const imageUrl = picture ? await uploadPicture(picture) : hasPicture ? undefined : null
      const releaseYear = year.trim() === '' ? null : Number(year)
      await correct.mutateAsync({
        id: title.id,
        name,
        releaseYear,
        overview,
        ...(imageUrl !== undefined && { imageUrl }),
      })
      void changed('correctedTitle')
      forget()
      onClose()
    } catch (error) {
      setProblem(uploadErrorText(error))
    }
    setUploading(false)
  }

  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField label="Name" value={name} onChange={setName} />
      <TextField label="Year" inputMode="numeric" value={year} onChange={setYear} />
      <TextArea label="Description" rows={4} value={overview} onChange={setOverview} />
      <FileField
        label="Picture"
        shape="poster"
        file={picture}
        src={hasPicture ? (title.imageUrl ?? undefined) : undefined}
        disabled={isUploading}
        onChange={(file) => {
          setPicture(file)
          if (file === null) setHasPicture(picture !== null && hasPicture)
        }}
      />
      {problem === undefined ? null : (
        <p role="alert" className="text-meta text-danger">
          {problem}
        </p>
      )}
      <div className="actions">
        <Button
          onClick={() => {
            forget()
            onClose()
          }}
        >
          Cancel
        </Button>
        <SubmitButton busy={isUploading} busyLabel="Saving…">
          Save
        </SubmitButton>
      </div>
    </form>
  )
}
