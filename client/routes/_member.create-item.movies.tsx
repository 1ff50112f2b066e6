import { createFileRoute } from '@tanstack/react-router'
import { CreateMovieScreen } from '#client/catalogue/create/create-movie-screen.tsx'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/create-item/movies')({
  head: () => ({ meta: [{ title: t`Create a movie` }] }),
  component: CreateMovieScreen,
})
