import { Link } from '@tanstack/react-router'
import { CalendarRange, NotebookPen } from 'lucide-react'
import { useSession } from '#client/app/session.ts'
import { trpc } from '#client/app/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { today } from './entries.ts'
import { t } from '#shared/domain/message.ts'

export function DiaryLinks({ userId }: { userId: number }) {
  const { data } = trpc.diary.isVisible.useQuery({ id: userId })
  const user = useSession()?.user
  if (data?.isVisible !== true) return null
  const params = { userId: String(userId) }
  const year = today().slice(0, 4)
  const isOwn = user?.id === userId
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <ButtonLink
        icon={<NotebookPen aria-hidden />}
        render={<Link to="/user/$userId/diary" params={params} />}
      >
        Diary
      </ButtonLink>
      <ButtonLink
        icon={<CalendarRange aria-hidden />}
        render={<Link to="/user/$userId/year/$year" params={{ ...params, year }} />}
      >
        {isOwn ? t`My ${year}` : t`Year ${year}`}
      </ButtonLink>
    </div>
  )
}
