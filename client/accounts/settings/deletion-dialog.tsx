import { LoadError } from '#client/app/load-error.tsx'
import type { RouterOutputs } from '#client/app/trpc.ts'
import { useFormats } from '#client/ui/formats.ts'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { ConfirmSelfDialog } from './confirm-dialog.tsx'
import { useDeletion, useRequestDeletion } from './hooks.ts'

export function DeletionDialog({
  open,
  onClose,
  onRequested,
}: {
  open: boolean
  onClose: () => void
  onRequested: () => void
}) {
  const { mutateAsync } = useRequestDeletion()
  return (
    <ConfirmSelfDialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      title="Delete your account?"
      description="It will be deleted in seven days. Until then you can keep it, here or with the link that we email you."
      label="Delete my account"
      busyLabel="Deleting…"
      variant="danger"
      onConfirmed={async () => {
        showDone((await mutateAsync({})).message)
        onClose()
        onRequested()
      }}
    >
      <Contents isShown={open} />
    </ConfirmSelfDialog>
  )
}

function Contents({ isShown }: { isShown: boolean }) {
  const deletion = useDeletion(isShown)
  const { count } = useFormats()
  if (deletion.isPending) return <Skeletons count={1} each="h-32 rounded-card" />
  if (deletion.data === undefined)
    return <LoadError title="The summary did not load" error={deletion.error} onRetry={deletion.refetch} />
  const { removes, keeps } = deletion.data
  const parts = names.flatMap(([key, one, many]) =>
    removes[key] > 0 ? `${count(removes[key])} ${removes[key] === 1 ? one : many}` : [],
  )
  return (
    <div className="mb-5 grid gap-3 text-meta">
      <div>
        <h3 className="text-label">What will be removed</h3>
        <ul className="mt-1 list-disc ps-5">
          <li>Your profile, your email and all logins</li>
          {parts.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      </div>
      <div>
        <h3 className="text-label">What stays</h3>
        <p className="mt-1">
          {keeps.titles === 0
            ? 'Nothing.'
            : `${count(keeps.titles)} ${keeps.titles === 1 ? 'title' : 'titles'} that you created, without your name.`}
        </p>
      </div>
    </div>
  )
}

const names: [key: keyof RouterOutputs['accounts']['deletion']['removes'], one: string, many: string][] = [
  ['reviews', 'rating or review', 'ratings and reviews'],
  ['responses', 'comment or reaction by others to them', 'comments and reactions by others to them'],
  ['comments', 'comment', 'comments'],
  ['reactions', 'reaction', 'reactions'],
  ['diaryEntries', 'diary entry', 'diary entries'],
  ['favorites', 'favorite', 'favorites'],
  ['following', 'member that you follow', 'members that you follow'],
  ['followers', 'follower', 'followers'],
  ['uploads', 'picture, unless it belongs to a title', 'pictures, unless they belong to a title'],
  ['imports', 'import', 'imports'],
]
