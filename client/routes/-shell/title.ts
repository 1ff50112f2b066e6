import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

const product = 'Medley'

/**
 * Keeps the document's title that of the innermost route which names one (`head: () => ({ meta: [{ title }] })`) and
 * answers it. Not `<HeadContent>`: that would add a second `<title>` beside the one of index.html, which wins.
 */
export function usePageTitle(): string {
  const own = useRouterState({
    select: (state) =>
      state.matches.flatMap((match) => match.meta ?? []).findLast((meta) => meta?.title !== undefined)?.title,
  })
  const title = own === undefined ? product : own.includes(product) ? own : `${own} · ${product}`
  useEffect(() => {
    document.title = title
  }, [title])
  return title
}
