import { createFileRoute } from '@tanstack/react-router'
import { DiaryScreen } from '#client/diary/diary-screen.tsx'
import { type DiaryParams, readDiaryParams } from '#client/diary/params.ts'
import { useSession } from '#client/app/session.ts'
import { openLog } from '#client/titles/log-request.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/diary')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): DiaryParams => search,
  head: () => ({ meta: [{ title: t`Diary` }] }),
  component: DiaryRoute,
})

function DiaryRoute() {
  const userId = useSession()?.user.id
  const params = readDiaryParams(Route.useSearch())
  return userId === undefined ? null : (
    <DiaryScreen userId={userId} params={params} onAdd={() => openLog({})} />
  )
}
