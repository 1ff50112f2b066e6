import { LoadError } from '#client/app/load-error.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'

import { SkeletonText } from '#client/ui/skeleton.tsx'
import { messages } from '#shared/texts/messages.ts'
import { failed, useAction, type useUndoPreview } from './hooks.ts'
import { allOf } from '#shared/texts/formats.ts'
import { plural, t } from '#shared/domain/message.ts'

type Preview = NonNullable<ReturnType<typeof useUndoPreview>['data']>

export function UndoDialog({
  id,
  open,
  onOpenChange,
  preview,
}: {
  id: number
  open: boolean
  onOpenChange: (open: boolean) => void
  preview: ReturnType<typeof useUndoPreview>
}) {
  const undo = useAction('undo')
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Undo the whole import?">
      {preview.data ? (
        <Effects preview={preview.data} />
      ) : preview.isError ? (
        <LoadError title="The preview did not load" error={preview.error} onRetry={preview.refetch} />
      ) : (
        <div role="status" aria-label={messages.loading}>
          <SkeletonText lines={3} />
        </div>
      )}
      <div className="actions mt-6">
        <Button onClick={() => onOpenChange(false)}>Cancel</Button>
        <Button
          variant="danger"
          busy={undo.isPending}
          disabled={!preview.data || preview.isFetching}
          onClick={() =>
            undo.mutate(
              { id },
              {
                onSuccess: () => onOpenChange(false),
                ...failed(t`The import was not undone`),
              },
            )
          }
        >
          Undo the import
        </Button>
      </div>
    </Dialog>
  )
}

function Effects({ preview: { removes, restores, keepsCount, later, comments } }: { preview: Preview }) {
  const removed = [
    removes.reviews === 0
      ? ''
      : comments === 0
        ? plural(removes.reviews, { one: '# rating or review', other: '# ratings and reviews' })
        : t`${plural(removes.reviews, { one: '# rating or review', other: '# ratings and reviews' })} ${plural(
            comments,
            {
              one: '(with # comment or reaction by others, which goes with them)',
              other: '(with # comments and reactions by others, which go with them)',
            },
          )}`,
    removes.partReviews > 0
      ? plural(removes.partReviews, {
          one: '# rating of a season or an episode',
          other: '# ratings of seasons and episodes',
        })
      : '',
    removes.entries > 0 ? plural(removes.entries, { one: '# diary entry', other: '# diary entries' }) : '',
    removes.episodes > 0
      ? plural(removes.episodes, { one: '# watched episode', other: '# watched episodes' })
      : '',
    removes.favorites > 0 ? plural(removes.favorites, { one: '# favorite', other: '# favorites' }) : '',
    removes.lists > 0 ? plural(removes.lists, { one: '# list', other: '# lists' }) : '',
    removes.listItems > 0
      ? plural(removes.listItems, { one: '# title of a list', other: '# titles of lists' })
      : '',
    removes.follows > 0 ? plural(removes.follows, { one: '# follow', other: '# follows' }) : '',
    removes.titles > 0 ? plural(removes.titles, { one: '# created title', other: '# created titles' }) : '',
  ].filter(Boolean)
  return (
    <div className="grid gap-2">
      <p>{removed.length === 0 ? t`This removes nothing.` : t`This removes ${allOf(removed)}.`}</p>
      {restores > 0 ? (
        <p>
          {plural(restores, {
            one: '# value goes back to what it was before.',
            other: '# values go back to what they were before.',
          })}
        </p>
      ) : null}
      {keepsCount > 0 ? (
        <p>
          {plural(keepsCount, {
            one: '# that you changed since stays.',
            other: '# that you changed since stay.',
          })}
        </p>
      ) : null}
      {later > 0 ? (
        <p>
          {plural(later, {
            one: '# that a later import changed stays.',
            other: '# that a later import changed stay.',
          })}
        </p>
      ) : null}
    </div>
  )
}
