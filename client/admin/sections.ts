import { Clapperboard, Flag, type LucideIcon, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Role } from '#shared/roles.ts'
import { AuditSection } from './audit-section.tsx'
import { ReportsSection } from './reports/reports-section.tsx'
import type { SectionProps } from './section-props.ts'
import { TitlesSection } from './titles-section.tsx'

/** The sections of `/admin`, in order. The first one is at `/admin` itself. */
export const sections: readonly {
  path: string
  label: string
  Icon: LucideIcon
  /** The least role that sees the section. */
  role: Role
  Screen: (props: SectionProps) => ReactNode
}[] = [
  { path: 'reports', label: 'Reports', Icon: Flag, role: 'moderator', Screen: ReportsSection },
  { path: 'titles', label: 'Titles', Icon: Clapperboard, role: 'moderator', Screen: TitlesSection },
  { path: 'audit', label: 'Audit', Icon: ScrollText, role: 'moderator', Screen: AuditSection },
]
