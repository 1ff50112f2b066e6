import {
  Clapperboard,
  Flag,
  Gauge,
  type LucideIcon,
  ScrollText,
  Settings,
  Ticket,
  UsersRound,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { Role } from '#shared/domain/roles.ts'
import { OverviewSection } from './overview-section.tsx'
import type { SectionProps } from './section.ts'
import { t } from '#shared/domain/message.ts'

const { AutoLoaded: InvitesSection } = lazyComponent(
  async () => (await import('./invites-section.tsx')).InvitesSection,
)
const { AutoLoaded: TitlesSection } = lazyComponent(
  async () => (await import('./titles-section.tsx')).TitlesSection,
)
const { AutoLoaded: SettingsSection } = lazyComponent(
  async () => (await import('./settings-section.tsx')).SettingsSection,
)
const { AutoLoaded: AuditSection } = lazyComponent(
  async () => (await import('./audit-section.tsx')).AuditSection,
)
const { AutoLoaded: MembersSection } = lazyComponent(
  async () => (await import('./members-section.tsx')).MembersSection,
)
const { AutoLoaded: ReportsSection } = lazyComponent(
  async () => (await import('./reports/reports-section.tsx')).ReportsSection,
)

export const sections: readonly {
  path: string
  label: string
  Icon: LucideIcon
  role: Role
  Screen: (props: SectionProps) => ReactNode
}[] = [
  { path: 'overview', label: t`Overview`, Icon: Gauge, role: 'moderator', Screen: OverviewSection },
  { path: 'reports', label: t`Reports`, Icon: Flag, role: 'moderator', Screen: ReportsSection },
  { path: 'members', label: t`Members`, Icon: UsersRound, role: 'moderator', Screen: MembersSection },
  { path: 'invites', label: t`Invites`, Icon: Ticket, role: 'moderator', Screen: InvitesSection },
  { path: 'titles', label: t`Titles`, Icon: Clapperboard, role: 'moderator', Screen: TitlesSection },
  { path: 'settings', label: t`Settings`, Icon: Settings, role: 'admin', Screen: SettingsSection },
  { path: 'audit', label: t`Audit`, Icon: ScrollText, role: 'moderator', Screen: AuditSection },
]
