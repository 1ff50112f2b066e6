import { createFileRoute } from '@tanstack/react-router'
import { TitleSkeleton } from '#client/catalogue/title/title-skeleton.tsx'
import { readReviewsSearch } from '#client/reviews/listing.ts'
import { kinds } from '#shared/media.ts'
import { TitlePage, TitleProblem, NoTitle } from './-title-page.tsx'
import { loadTitle } from './-title-data.ts'

export const Route = createFileRoute('/books/$bookId')({
  validateSearch: readReviewsSearch,
  loader: ({ context, params, location }) => loadTitle(context, 'book', params.bookId, location.search),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.name ?? kinds.book.words.one }] }),
  component: BookPage,
  pendingComponent: TitleSkeleton,
  errorComponent: (problem) => <TitleProblem kind="book" {...problem} />,
  notFoundComponent: () => <NoTitle kind="book" />,
})

function BookPage() {
  return <TitlePage kind="book" id={Number(Route.useParams().bookId)} search={Route.useSearch()} />
}
