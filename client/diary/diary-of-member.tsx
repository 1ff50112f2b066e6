import { LoadError } from '#client/load-error.tsx'
import { trpc } from '#client/trpc.ts'
import { DiaryPending, DiaryScreen } from './diary-screen.tsx'
import type { DiaryParams } from './params.ts'
import { PrivateDiary } from './private-diary.tsx'

/** The diary of a member, if the caller may read it. */
export function DiaryOfMember(props: { userId: number; name: string; params: DiaryParams }) {
  const visible = trpc.diary.isVisible.useQuery({ id: props.userId })
  if (visible.data?.isVisible) return <DiaryScreen {...props} />
  if (visible.isPending) return <DiaryPending />
  return (
    <div className="page py-8 sm:py-12">
      <h1 className="mb-8 text-h1">{`Diary of ${props.name}`}</h1>
      {visible.data ? (
        <PrivateDiary />
      ) : (
        <LoadError title="The diary did not load" error={visible.error} onRetry={visible.refetch} />
      )}
    </div>
  )
}
