import { useNavigate } from '@tanstack/react-router'

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

export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
