import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

const product = 'Medley'

type Named = { meta?: readonly ({ title?: string | undefined } | undefined)[] | undefined }

/** Returns the document title: that of the innermost route with one (`head: () => ({ meta: [{ title }] })`). */
export function pageTitle(matches: readonly Named[]): string {
  const own = matches
    .flatMap((match) => match.meta ?? [])
    .findLast((meta) => meta?.title !== undefined)?.title
  return own === undefined ? product : own.includes(product) ? own : `${own} · ${product}`
}

/** Sets and returns the document title. `<HeadContent>` would add a second `<title>` beside that of index.html. */
export function usePageTitle(): string {
  const title = useRouterState({ select: (state) => pageTitle(state.matches as Named[]) })
  useEffect(() => {
    document.title = title
  }, [title])
  return title
}
