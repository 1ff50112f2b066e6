import type { SessionUser } from '#client/app/session.ts'
import {
  Bell,
  BookOpen,
  CalendarDays,
  ChartNoAxesColumn,
  FilePlus2,
  Heart,
  Import,
  LibraryBig,
  ListOrdered,
  type LucideIcon,
  Search,
  Settings,
  ShieldCheck,
  Sparkles,
  Tv,
  UserRound,
} from 'lucide-react'
import { t } from '#shared/domain/message.ts'

export type OwnPage = { label: string; path: string; Icon: LucideIcon }

export function ownPages({ id, role }: SessionUser): { title: string; pages: OwnPage[] }[] {
  const me = `/user/${id}`
  return [
    {
      title: t`Mine`,
      pages: [
        { label: t`Profile`, path: me, Icon: UserRound },
        { label: t`Notifications`, path: '/notifications', Icon: Bell },
        { label: t`My ratings`, path: `${me}/reviews`, Icon: LibraryBig },
        { label: t`Diary`, path: '/diary', Icon: BookOpen },
        { label: t`Up next`, path: '/up-next', Icon: Tv },
        { label: t`Calendar`, path: '/calendar', Icon: CalendarDays },
        { label: t`Lists`, path: '/lists', Icon: ListOrdered },
        { label: t`Favorites`, path: '/favorites', Icon: Heart },
        {
          label: t`My ${new Date().getFullYear()}`,
          path: `${me}/year/${new Date().getFullYear()}`,
          Icon: ChartNoAxesColumn,
        },
        { label: t`Import`, path: '/imports', Icon: Import },
      ],
    },
    {
      title: t`Site`,
      pages: [
        { label: t`For You`, path: '/for-you', Icon: Sparkles },
        { label: t`Items`, path: '/items', Icon: Search },
        { label: t`Add a title`, path: '/create-item', Icon: FilePlus2 },
        ...(role ? [{ label: t`Admin`, path: '/admin/', Icon: ShieldCheck }] : []),
      ],
    },
    { title: t`Account`, pages: [{ label: t`Settings`, path: '/settings', Icon: Settings }] },
  ]
}
