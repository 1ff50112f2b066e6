import { createFileRoute } from '@tanstack/react-router'
import { readYear } from '#client/diary/params.ts'
import { YearPending, YearScreen } from '#client/diary/year-screen.tsx'
import { useSession } from '#client/app/session.ts'
import { ShareButton } from '#client/app/share-button.tsx'
import { ProfileNotFound } from '#client/social/profile-not-found.tsx'
import { loadName } from './-profile-data.ts'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/user/$userId_/year/$year')({
  loader: ({ context, params }) =>
    loadName(context, params.userId, ({ diary }, id) => {
      const year = readYear(params.year)
      if (year !== undefined) void diary.year.prefetch({ id, year })
    }),
  head: ({ loaderData, params }) => ({
    meta: [{ title: `${params.year} · ${loaderData?.name ?? t`Profile`}` }],
  }),
  component: YearRoute,
  pendingComponent: () => <YearPending year={Route.useParams().year} />,
  notFoundComponent: () => <ProfileNotFound />,
})

function YearRoute() {
  const { userId, year } = Route.useParams()
  const { name } = Route.useLoaderData()
  const session = useSession()
  const shown = readYear(year)
  if (shown === undefined) return <ProfileNotFound />
  const id = Number(userId)
  const isOwn = session?.user.id === id
  return (
    <YearScreen
      userId={id}
      name={name}
      year={shown}
      share={
        isOwn ? (
          <ShareButton
            shared={{ subject: 'years', id, year: shown }}
            what={t`your ${shown}`}
            path={`/user/${id}/year/${shown}`}
            missing="Your diary is private, so this year has no picture. You can open the diary to everyone in its settings."
          />
        ) : undefined
      }
    />
  )
}
