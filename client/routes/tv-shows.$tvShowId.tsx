import { createFileRoute } from '@tanstack/react-router'
import { TitleSkeleton } from '#client/catalogue/title/title-skeleton.tsx'
import { NoTitle, TitlePage, TitleProblem } from './-title-page.tsx'
import { titleRoute } from './-title-data.ts'

export const Route = createFileRoute('/tv-shows/$tvShowId')({
  ...titleRoute('tvShow'),
  component: TitlePage,
  pendingComponent: TitleSkeleton,
  errorComponent: TitleProblem,
  notFoundComponent: NoTitle,
})
