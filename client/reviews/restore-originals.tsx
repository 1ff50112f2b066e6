import { useMutation } from '@tanstack/react-query'
import { changed } from '#client/app/facts.ts'
import { refreshUser } from '#client/app/user.ts'
import { showFailure, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { plural, t } from '#shared/domain/message.ts'

const pollMs = 500

/** Nothing is shown if no import has rounded a rating. */
export function RestoreOriginals() {
  const { data } = trpc.imports.originals.useQuery()
  const utils = trpc.useUtils()

  /** Resolves once the server has done the work. */
  async function finish(id: number) {
    for (;;) {
      const { import: one } = await utils.client.imports.byId.query({ id })
      if (one.state !== 'applying' && one.state !== 'undoing') {
        await Promise.all([changed('imported'), changed('import', id), refreshUser()])
        return one
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }
  const undo = useMutation({
    async mutationFn(id: number) {
      await utils.client.imports.undo.mutate({ id })
      return finish(id)
    },
    onError: (error) => showFailure(t`The ratings were not rounded again`, error),
  })
  const restore = useMutation({
    async mutationFn() {
      const { import: begun } = await utils.client.imports.restoreOriginals.mutate()
      return finish(begun.id)
    },
    onSuccess({ id, parts: { ratings } }) {
      showDone(
        plural(ratings, { one: '# rating is halves again.', other: '# ratings are halves again.' }),
        () => undo.mutate(id),
      )
    },
    onError: (error) => showFailure(t`The ratings were not restored`, error),
  })
  if (!data || (data.count === 0 && !restore.isPending)) return null
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-5">
      <p className="min-w-0 tabular-nums">
        {plural(data.count, {
          one: '# imported rating was rounded',
          other: '# imported ratings were rounded',
        })}
      </p>
      <Button variant="outline" busy={restore.isPending || undo.isPending} onClick={() => restore.mutate()}>
        Restore the halves
      </Button>
    </div>
  )
}
