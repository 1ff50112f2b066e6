import { useNavigate } from '@tanstack/react-router'

export type SectionProps = {
  /** The path below the section’s: `12` for `/admin/members/12`. */
  rest: string
  search: Record<string, string | undefined>
}

/** Returns where a link below `/admin` leads. Empty search params are left out. */
export function toAdmin(path: string, search: SectionProps['search'] = {}) {
  const given = Object.fromEntries(Object.entries(search).filter(([, value]) => value))
  return { to: '/admin/$', params: { _splat: path }, search: given as {} } as const
}

/** Returns a function that changes filters in the address of a section. */
export function useFilter(section: string, search: SectionProps['search']) {
  const navigate = useNavigate()
  return (changes: SectionProps['search']) =>
    void navigate({ ...toAdmin(section, { ...search, ...changes }), replace: true, resetScroll: false })
}

/** Returns words with a capital at the start. */
export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
