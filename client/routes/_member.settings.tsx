import { createFileRoute } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSite } from '#client/app/site.ts'
import { readSettingsParams, type SettingsParams } from '#client/accounts/settings/params.ts'
import { LanguageSetting } from '#client/accounts/settings/language-setting.tsx'
import { LogSetting } from '#client/diary/log-setting.tsx'
import { VisibilitySetting } from '#client/diary/visibility-setting.tsx'
import { MyModeration } from '#client/moderation/my-moderation.tsx'
import { NotificationSettings } from '#client/notifications/notification-settings.tsx'
import { HalfStarsSetting } from '#client/reviews/half-stars-setting.tsx'
import { RestoreOriginals } from '#client/reviews/restore-originals.tsx'
import { SettingsScreen } from '#client/accounts/settings/settings-screen.tsx'
import { Section } from '#client/ui/section.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { loadTitleMenu } from './-shell/title-menu-host.tsx'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/_member/settings')({
  // Read by the component, which is not part of the first pages.
  validateSearch: (search): SettingsParams => search,
  loader: ({ context: { trpc } }) => void trpc.accounts.me.prefetch(),
  head: () => ({ meta: [{ title: t`Settings` }] }),
  component: SettingsRoute,
})

const privacy = lazyComponent(
  async () => (await import('#client/privacy/privacy-settings.tsx')).PrivacySettings,
  { isInPage: true },
)
const invites = lazyComponent(async () => (await import('#client/members/own-invites.tsx')).OwnInvites, {
  isInPage: true,
})

const { AutoLoaded: WatchSettings } = lazyComponent(
  async () => (await import('#client/offers/watch-settings.tsx')).WatchSettings,
)

function SettingsRoute() {
  const { hasOffers } = useSite()
  useEffect(() => {
    privacy.load()
    invites.load()
  }, [])
  const diary = (
    <>
      <LanguageSetting />
      <Section title="Ratings" className="card mt-8">
        <HalfStarsSetting />
        <RestoreOriginals />
      </Section>
      <VisibilitySetting>
        <LogSetting onLogs={loadTitleMenu} />
      </VisibilitySetting>
      {hasOffers ? <WatchSettings /> : null}
    </>
  )
  return (
    <SettingsScreen
      {...readSettingsParams(Route.useSearch())}
      diary={diary}
      privacy={
        <div className="mb-10">
          <privacy.Component />
        </div>
      }
      moderation={
        <>
          <invites.Component isQuiet />
          <MyModeration />
        </>
      }
      notifications={<NotificationSettings />}
    />
  )
}
