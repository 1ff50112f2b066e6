import { createFileRoute } from '@tanstack/react-router'
import { readSettingsParams, type SettingsParams } from '#client/accounts/settings/params.ts'
import { VisibilitySetting } from '#client/diary/visibility-setting.tsx'
import { MyModeration } from '#client/moderation/my-moderation.tsx'
import { SettingsScreen } from '#client/accounts/settings/settings-screen.tsx'

export const Route = createFileRoute('/_member/settings')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): SettingsParams => search,
  loader: ({ context: { trpc } }) => void trpc.accounts.me.prefetch(),
  head: () => ({ meta: [{ title: 'Settings' }] }),
  component: SettingsRoute,
})

function SettingsRoute() {
  return (
    <SettingsScreen
      {...readSettingsParams(Route.useSearch())}
      diary={<VisibilitySetting />}
      moderation={<MyModeration />}
    />
  )
}
