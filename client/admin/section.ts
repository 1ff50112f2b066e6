import { useNavigate } from '@tanstack/react-router'
import { t } from '#shared/domain/message.ts'
import type { Role } from '#shared/domain/roles.ts'

export type SectionProps = {
  rest: string
  search: Record<string, string | undefined>
}

export function toAdmin(path: string, search: SectionProps['search'] = {}) {
  const given = Object.fromEntries(Object.entries(search).filter(([, value]) => value))
  return { to: '/admin/$', params: { _splat: path }, search: given as {} } as const
}

export function useFilter(section: string, search: SectionProps['search']) {
  const navigate = useNavigate()
  return (changes: SectionProps['search']) =>
    void navigate({ ...toAdmin(section, { ...search, ...changes }), replace: true, resetScroll: false })
}

export const roleNames: Record<Role, string> = {
  member: t`Member`,
  moderator: t`Moderator`,
  admin: t`Admin`,
}

export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
