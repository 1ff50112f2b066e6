import { LoadError } from '#client/app/load-error.tsx'
import type { RouterOutputs } from '#client/app/trpc.ts'

import { Skeletons } from '#client/ui/skeleton.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { ConfirmSelfDialog } from './confirm-dialog.tsx'
import { useDeletion, useRequestDeletion } from './hooks.ts'
import { plural, t } from '#shared/domain/message.ts'

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

  if (deletion.isPending) return <Skeletons count={1} each="h-32 rounded-card" />
  if (deletion.data === undefined)
    return <LoadError title="The summary did not load" error={deletion.error} onRetry={deletion.refetch} />
  const { removes, keeps } = deletion.data
  const parts = counted.flatMap(([key, text]) => (removes[key] > 0 ? text(removes[key]) : []))
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
            ? t`Nothing.`
            : plural(keeps.titles, {
                one: '# title that you created, without your name.',
                other: '# titles that you created, without your name.',
              })}
        </p>
      </div>
    </div>
  )
}

type Removed = keyof RouterOutputs['accounts']['deletion']['removes']

const counted: [key: Removed, text: (count: number) => string][] = [
  ['reviews', (n) => plural(n, { one: '# rating or review', other: '# ratings and reviews' })],
  [
    'responses',
    (n) =>
      plural(n, {
        one: '# comment or reaction by others to them',
        other: '# comments and reactions by others to them',
      }),
  ],
  ['comments', (n) => plural(n, { one: '# comment', other: '# comments' })],
  ['reactions', (n) => plural(n, { one: '# reaction', other: '# reactions' })],
  ['diaryEntries', (n) => plural(n, { one: '# diary entry', other: '# diary entries' })],
  ['favorites', (n) => plural(n, { one: '# favorite', other: '# favorites' })],
  ['following', (n) => plural(n, { one: '# member that you follow', other: '# members that you follow' })],
  ['followers', (n) => plural(n, { one: '# follower', other: '# followers' })],
  [
    'uploads',
    (n) =>
      plural(n, {
        one: '# picture, unless it belongs to a title',
        other: '# pictures, unless they belong to a title',
      }),
  ],
  ['imports', (n) => plural(n, { one: '# import', other: '# imports' })],
]
