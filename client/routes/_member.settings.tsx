import { createFileRoute } from '@tanstack/react-router'
import { readSettingsParams } from '#client/accounts/settings/params.ts'
import { VisibilitySetting } from '#client/diary/visibility-setting.tsx'
import { MyModeration } from '#client/moderation/my-moderation.tsx'
import { SettingsScreen } from '#client/accounts/settings/settings-screen.tsx'

export const Route = createFileRoute('/_member/settings')({
  validateSearch: readSettingsParams,
  loader: ({ context: { trpc } }) => void trpc.accounts.me.prefetch(),
  head: () => ({ meta: [{ title: 'Settings' }] }),
  component: SettingsRoute,
})

function SettingsRoute() {
  return <SettingsScreen {...Route.useSearch()} diary={<VisibilitySetting />} moderation={<MyModeration />} />
}
