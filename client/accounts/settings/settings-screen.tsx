import { Link, useNavigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Bell, Braces, CircleUserRound, KeyRound, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { inPlace } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { Callout } from '#client/ui/callout.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { FoldedSection } from '#client/ui/section.tsx'
import { Tabs } from '#client/ui/tabs.tsx'
import { messages } from '#shared/texts/messages.ts'
import { useProviders, useReturned } from '#client/app/providers.ts'
import { useMe } from './hooks.ts'
import { type SettingsParams, type SettingsTab, settingsTabs } from './params.ts'
import { PasswordForm } from './password-form.tsx'
import { PictureField } from './picture-field.tsx'
import { ProfileForm } from './profile-form.tsx'
import { Sessions } from './sessions.tsx'
import { SignIn } from './sign-in.tsx'
import { YourData } from './your-data.tsx'
import { t } from '#shared/domain/message.ts'

const { Component: DeveloperTools, load: loadTools } = lazyComponent(
  async () => (await import('./developer-tools.tsx')).DeveloperTools,
)

const { AutoLoaded: ProviderReturn } = lazyComponent(
  async () => (await import('./provider-return.tsx')).ProviderReturn,
)

const tabs: Record<SettingsTab, { label: string; Icon: LucideIcon }> = {
  profile: { label: t`Profile`, Icon: CircleUserRound },
  account: { label: t`Account`, Icon: KeyRound },
  notifications: { label: t`Notifications`, Icon: Bell },
}

const listOnPhones = clsx(
  'max-sm:[&>div:first-child]:border-none max-sm:[&_.tab-line]:hidden',
  'max-sm:[&_[role=tablist]]:m-0 max-sm:[&_[role=tablist]]:grid max-sm:[&_[role=tablist]]:w-full max-sm:[&_[role=tablist]]:rounded-card',
  'max-sm:[&_[role=tablist]]:border max-sm:[&_[role=tablist]]:border-line max-sm:[&_[role=tablist]]:bg-surface max-sm:[&_[role=tablist]]:p-1.5',
  'max-sm:[&_[role=tablist]]:gap-1 max-sm:[&_[role=tab]]:justify-start max-sm:[&_[role=tab]]:gap-3 max-sm:[&_[role=tab]]:px-3',
  'max-sm:[&_[aria-selected=true]]:bg-raised',
)

export function SettingsScreen({
  diary,
  privacy,
  moderation,
  notifications,
  ...params
}: SettingsParams & Record<'diary' | 'privacy' | 'moderation' | 'notifications', ReactNode>) {
  const { tab = 'profile' } = params
  const navigate = useNavigate()
  const [returned] = useReturned()
  return (
    <div className="page py-8 sm:py-12">
      <h1 className="text-h1">Settings</h1>
      {returned === undefined ? null : <ProviderReturn key={returned.value} returned={returned} />}
      {useSession() === null ? (
        <Callout tone="error" title={messages.settingsNeedLogin} className="mt-8" />
      ) : (
        <Tabs
          label="Settings"
          className={clsx('mt-8', listOnPhones)}
          value={tab}
          onChange={(next) =>
            void navigate({
              to: '/settings',
              search: { tab: next },
              ...inPlace,
            })
          }
          items={settingsTabs.map((value) => {
            const { label, Icon } = tabs[value]
            return {
              value,
              label: (
                <>
                  <Icon aria-hidden className="size-4.5" />
                  {label}
                </>
              ),
            }
          })}
        >
          {tab === 'profile' ? (
            <>
              <ProfilePanel />
              {diary}
            </>
          ) : tab === 'account' ? (
            <>
              <Parts />
              <div id="privacy">{privacy}</div>
              <AccountPanel {...params} />
              {moderation}
              {/* Last, as it has the deletion. */}
              <div id="your-data" className="mt-10">
                <YourData />
              </div>
            </>
          ) : (
            notifications
          )}
        </Tabs>
      )}
    </div>
  )
}

function ProfilePanel() {
  const me = useMe()
  if (me.error && me.data === undefined)
    return <LoadError title={messages.profileLoadFailed} error={me.error} onRetry={me.refetch} />
  const user = me.data?.user
  if (user === undefined) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-8">
      <div className="card lg:order-last">
        <PictureField user={user} />
      </div>
      {/* A session that was stored before profiles had a bio has none. */}
      <ProfileForm user={{ ...user, bio: user.bio ?? '' }} isReady={!me.isPlaceholderData} />
    </div>
  )
}

const accountParts = {
  privacy: t`Privacy`,
  'sign-in': t`Sign-in`,
  sessions: t`Where you are logged in`,
  password: t`Change password`,
  developers: t`Developers`,
  'your-data': t`Your data`,
}

function Parts() {
  const { passwordLogin } = useProviders()
  const parts = Object.entries(accountParts).filter(([id]) => passwordLogin || id !== 'password')
  return (
    <nav aria-label="On this page" className="mb-6">
      <ul className="flex flex-wrap gap-x-5">
        {parts.map(([id, label]) => (
          <li key={id}>
            <Link
              to="."
              search={(search) => search}
              hash={id}
              replace
              viewTransition={false}
              className="link inline-flex min-h-9 items-center"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function AccountPanel({ developers }: SettingsParams) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <div id="sign-in" className="lg:col-span-2">
        <SignIn />
      </div>
      <div id="sessions">
        <Sessions />
      </div>
      {useProviders().passwordLogin ? (
        <div id="password">
          <PasswordForm />
        </div>
      ) : null}
      <Developers isOpen={developers === 'yes'} />
    </div>
  )
}

/** Not loaded at first: most members need none of it. */
function Developers({ isOpen }: { isOpen: boolean }) {
  useEffect(() => {
    if (isOpen) loadTools()
  }, [isOpen])
  return (
    <FoldedSection
      id="developers"
      icon={<Braces aria-hidden className="size-5 shrink-0 text-muted" />}
      title="Developers"
      note="Access tokens and webhooks"
      open={isOpen}
      onToggle={loadTools}
      className="lg:col-span-2"
    >
      <DeveloperTools />
    </FoldedSection>
  )
}
