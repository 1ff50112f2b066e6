import { useNavigate } from '@tanstack/react-router'
import type { SectionProps } from './section-props.ts'

/** Returns a function that changes filters in the address of a section; empty ones are left out of it. */
export function useFilter(section: string, search: SectionProps['search']) {
  const navigate = useNavigate()
  return (changes: Record<string, string | undefined>) =>
    void navigate({
      to: '/admin/$',
      params: { _splat: section },
      search: Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value)),
      replace: true,
      resetScroll: false,
    })
}
