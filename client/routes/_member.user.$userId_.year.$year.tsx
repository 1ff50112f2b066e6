import { createFileRoute } from '@tanstack/react-router'
import { readYear } from '#client/diary/params.ts'
import { YearScreen } from '#client/diary/year-screen.tsx'
import { ProfileNotFound } from '#client/social/profile-not-found.tsx'

export const Route = createFileRoute('/_member/user/$userId_/year/$year')({
  loader: async ({ context, params }) =>
    (await import('./-profile-data.ts')).loadName(context, params.userId),
  head: ({ loaderData, params }) => ({
    meta: [{ title: `${params.year} · ${loaderData?.name ?? 'Profile'}` }],
  }),
  component: YearRoute,
  notFoundComponent: () => <ProfileNotFound />,
})

function YearRoute() {
  const { userId, year } = Route.useParams()
  const { name } = Route.useLoaderData()
  const shown = readYear(year)
  if (shown === undefined) return <ProfileNotFound />
  return <YearScreen userId={Number(userId)} name={name} year={shown} />
}
