import { createFileRoute } from '@tanstack/react-router'
import { DiaryOfMember } from '#client/diary/diary-screen.tsx'
import { type DiaryParams, readDiaryParams } from '#client/diary/params.ts'
import { ProfileNotFound } from '#client/social/profile-not-found.tsx'
import { loadName } from './-profile-data.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/user/$userId_/diary')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): DiaryParams => search,
  loader: ({ context, params }) =>
    loadName(context, params.userId, ({ diary }, id) => void diary.isVisible.prefetch({ id })),
  head: ({ loaderData }) => ({ meta: [{ title: t`Diary · ${loaderData?.name ?? t`Profile`}` }] }),
  component: DiaryRoute,
  notFoundComponent: () => <ProfileNotFound />,
})

function DiaryRoute() {
  const { name } = Route.useLoaderData()
  return (
    <DiaryOfMember
      userId={Number(Route.useParams().userId)}
      name={name}
      params={readDiaryParams(Route.useSearch())}
    />
  )
}
