import { createFileRoute } from '@tanstack/react-router'
import { MediumSkeleton } from '#client/catalogue/medium/skeleton.tsx'
import { kinds } from '#shared/media.ts'
import { Medium, MediumProblem, NoMedium } from './-medium.tsx'
import { loadMedium, readMediumSearch } from './-medium-data.ts'

export const Route = createFileRoute('/books/$bookId')({
  validateSearch: readMediumSearch,
  loader: ({ context, params, location }) => loadMedium(context, 'book', params.bookId, location.search),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? kinds.book.words.one }] }),
  component: BookPage,
  pendingComponent: MediumSkeleton,
  errorComponent: (problem) => <MediumProblem kind="book" {...problem} />,
  notFoundComponent: () => <NoMedium kind="book" />,
})

function BookPage() {
  return <Medium kind="book" id={Number(Route.useParams().bookId)} search={Route.useSearch()} />
}
