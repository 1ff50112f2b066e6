import { createFileRoute } from '@tanstack/react-router'
import { CreateMovieScreen } from '#client/catalogue/create/create-movie-screen.tsx'

export const Route = createFileRoute('/_member/create-item/movies')({
  head: () => ({ meta: [{ title: 'Create a movie' }] }),
  component: CreateMovieScreen,
})
