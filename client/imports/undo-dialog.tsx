import { LoadError } from '#client/app/load-error.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { messages } from '#shared/texts/messages.ts'
import { failed, useAction, type useUndoPreview } from './hooks.ts'
import { allOf, plural } from '#shared/texts/formats.ts'

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
                ...failed('The import was not undone'),
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
  const { count } = useFormats()
  const of = (number: number, one: string, many?: string) => `${count(number)} ${plural(number, one, many)}`
  const removed = [
    removes.reviews > 0
      ? of(removes.reviews, 'rating or review', 'ratings and reviews') +
        (comments > 0
          ? ` (with ${of(comments, 'comment or reaction', 'comments and reactions')} by others, which ${plural(comments, 'goes', 'go')} with them)`
          : '')
      : '',
    removes.entries > 0 ? of(removes.entries, 'diary entry', 'diary entries') : '',
    removes.favorites > 0 ? of(removes.favorites, 'favorite') : '',
    removes.lists > 0 ? of(removes.lists, 'list') : '',
    removes.listItems > 0 ? of(removes.listItems, 'title of a list', 'titles of lists') : '',
    removes.follows > 0 ? of(removes.follows, 'follow') : '',
    removes.titles > 0 ? of(removes.titles, 'created title') : '',
  ].filter(Boolean)
  return (
    <div className="grid gap-2">
      <p>{removed.length === 0 ? 'This removes nothing.' : `This removes ${allOf(removed)}.`}</p>
      {restores > 0 ? (
        <p>{`${of(restores, 'value goes', 'values go')} back to what ${plural(restores, 'it was', 'they were')} before.`}</p>
      ) : null}
      {keepsCount > 0 ? (
        <p>{`${count(keepsCount)} that you changed since ${plural(keepsCount, 'stays', 'stay')}.`}</p>
      ) : null}
      {later > 0 ? (
        <p>{`${count(later)} that a later import changed ${plural(later, 'stays', 'stay')}.`}</p>
      ) : null}
    </div>
  )
}
