import { createFileRoute } from '@tanstack/react-router'
import { readSettingsParams, type SettingsParams } from '#client/accounts/settings/params.ts'
import { LogSetting } from '#client/diary/log-setting.tsx'
import { VisibilitySetting } from '#client/diary/visibility-setting.tsx'
import { MyModeration } from '#client/moderation/my-moderation.tsx'
import { OwnInvites } from '#client/own-invites.tsx'
import { SettingsScreen } from '#client/accounts/settings/settings-screen.tsx'
import { loadTitleMenu } from './-shell/title-menu.tsx'

export const Route = createFileRoute('/_member/settings')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): SettingsParams => search,
  loader: ({ context: { trpc } }) => void trpc.accounts.me.prefetch(),
  head: () => ({ meta: [{ title: 'Settings' }] }),
  component: SettingsRoute,
})

function SettingsRoute() {
  const diary = (
    <VisibilitySetting>
      <LogSetting onLogs={loadTitleMenu} />
    </VisibilitySetting>
  )
  return (
    <SettingsScreen
      {...readSettingsParams(Route.useSearch())}
      diary={diary}
      moderation={
        <>
          <OwnInvites isQuiet />
          <MyModeration />
        </>
      }
    />
  )
}
