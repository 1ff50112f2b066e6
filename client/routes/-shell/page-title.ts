import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSite } from '#client/app/site.ts'

type Named = { meta?: readonly ({ title?: string | undefined } | undefined)[] | undefined }

export function pageTitle(matches: readonly Named[], product: string): string {
  const own = matches
    .flatMap((match) => match.meta ?? [])
    .findLast((meta) => meta?.title !== undefined)?.title
  return own === undefined ? product : own.includes(product) ? own : `${own} · ${product}`
}

/** `<HeadContent>` would add a second `<title>` beside the one of index.html. */
export function usePageTitle(): string {
  const { name } = useSite()
  const title = useRouterState({ select: (state) => pageTitle(state.matches as Named[], name) })
  useEffect(() => {
    document.title = title
  }, [title])
  return title
}
