import { createRootRouteWithContext, redirect } from '@tanstack/react-router'
import type { RouterContext } from '#client/app/loader-context.ts'
import { NotFoundPage, ProblemPage } from './-shell/problems.tsx'
import { Shell } from './-shell/shell.tsx'

/** What visitors may open if the settings of the site keep them out. */
const openPages = /^\/(login|signup|verify-email|forgot-password|reset-password|keep-account)$/

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ context: { site, getSession }, location }) => {
    if (site.visitorsMayRead || getSession() !== null || openPages.test(location.pathname)) return
    throw redirect({ to: '/login', search: { redirect: location.href }, replace: true })
  },
  component: Shell,
  errorComponent: ProblemPage,
  notFoundComponent: NotFoundPage,
})
