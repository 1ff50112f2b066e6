import { createRootRouteWithContext } from '@tanstack/react-router'
import type { RouterContext } from '#client/loader-context.ts'
import { NotFoundPage, ProblemPage } from './-shell/problems.tsx'
import { Shell } from './-shell/shell.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  errorComponent: ProblemPage,
  notFoundComponent: NotFoundPage,
})
