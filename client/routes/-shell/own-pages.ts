import type { SessionUser } from '#client/app/session.ts'
import {
  Bell,
  BookOpen,
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
  UserRound,
} from 'lucide-react'

export type OwnPage = { label: string; path: string; Icon: LucideIcon }

export function ownPages({ id, role }: SessionUser): { title: string; pages: OwnPage[] }[] {
  const me = `/user/${id}`
  return [
    {
      title: 'Mine',
      pages: [
        { label: 'Profile', path: me, Icon: UserRound },
        { label: 'Notifications', path: '/notifications', Icon: Bell },
        { label: 'My ratings', path: `${me}/reviews`, Icon: LibraryBig },
        { label: 'Diary', path: '/diary', Icon: BookOpen },
        { label: 'Lists', path: '/lists', Icon: ListOrdered },
        { label: 'Favorites', path: '/favorites', Icon: Heart },
        {
          label: `My ${new Date().getFullYear()}`,
          path: `${me}/year/${new Date().getFullYear()}`,
          Icon: ChartNoAxesColumn,
        },
        { label: 'Import', path: '/imports', Icon: Import },
      ],
    },
    {
      title: 'Site',
      pages: [
        { label: 'For You', path: '/for-you', Icon: Sparkles },
        { label: 'Items', path: '/items', Icon: Search },
        { label: 'Add a title', path: '/create-item', Icon: FilePlus2 },
        ...(role ? [{ label: 'Admin', path: '/admin/', Icon: ShieldCheck }] : []),
      ],
    },
    { title: 'Account', pages: [{ label: 'Settings', path: '/settings', Icon: Settings }] },
  ]
}
