import { BellRing } from 'lucide-react'
import { useId } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { useDates } from '#client/ui/dates.ts'
import { Select } from '#client/ui/select.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { NotificationType } from '#shared/contracts/notifications.ts'
import { type Settings, useChangeSettings, useSettings } from './settings-hooks.ts'
import { t } from '#shared/domain/message.ts'

const typeLabels: Record<NotificationType, string> = {
  follow: t`Somebody follows you`,
  followRequest: t`Somebody asks to follow you`,
  followAccepted: t`Your request to follow somebody is accepted`,
  comment: t`Comments on your reviews, and after yours`,
  like: t`Likes of your reviews and lists`,
  listInvite: t`Invitations to edit a list`,
  listTitles: t`New titles in lists that you follow`,
  newSeason: t`New seasons of shows that you have watched`,
  importDone: t`An import is done`,
  decision: t`Decisions of the moderators about you`,
  report: t`Your reports have been handled`,
  invited: t`Somebody joins with your invite`,
  case: t`Reports and appeals that wait`,
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)

export function NotificationSettings() {
  const settings = useSettings()
  if (settings.error && !settings.data)
    return <LoadError title="These settings did not load" error={settings.error} onRetry={settings.refetch} />
  return (
    <div className="grid max-w-[40rem] gap-6">
      {settings.data === undefined ? (
        <Skeleton className="h-96 animate-appear rounded-card" />
      ) : (
        <Choices settings={settings.data} />
      )}
      <Callout tone="info" icon={<BellRing aria-hidden />}>
        Push notifications are coming soon.
      </Callout>
    </div>
  )
}

function Choices({ settings }: { settings: Settings }) {
  const isModerator = useSession()?.user.role !== undefined
  const { mutate: change } = useChangeSettings()
  const dates = useDates()
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const types = (Object.entries(typeLabels) as [NotificationType, string][]).filter(
    ([type]) => type !== 'case' || isModerator,
  )
  return (
    <div className="card">
      <table className="w-full">
        <caption className="sr-only">What you are notified of</caption>
        <thead>
          <tr className="text-meta text-muted">
            <th scope="col" className="pb-2 text-start font-medium">
              What
            </th>
            <th scope="col" className="w-16 pb-2 font-medium">
              In the app
            </th>
            <th scope="col" className="w-16 pb-2 font-medium">
              Daily email
            </th>
          </tr>
        </thead>
        <tbody>
          {types.map(([type, label]) => (
            <tr key={type} className="border-t border-line">
              <th scope="row" id={`notify-${type}`} className="py-2 pe-3 text-start font-normal">
                {label}
              </th>
              <td>
                <Box
                  labelledBy={`notify-${type}`}
                  label="In the app"
                  checked={settings[type].inApp}
                  onChange={(inApp) => change({ [type]: { inApp } })}
                />
              </td>
              <td>
                <Box
                  labelledBy={`notify-${type}`}
                  label="Daily email"
                  checked={settings[type].inApp && settings[type].email === 'daily'}
                  disabled={!settings[type].inApp}
                  onChange={(isDaily) => change({ [type]: { email: isDaily ? 'daily' : 'off' } })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="grid gap-2 border-t border-line pt-5">
        <Select
          className="max-w-sm"
          shape="field"
          label="When the daily email is sent"
          value={String(settings.digestHour)}
          options={hours.map((hour) => ({ value: String(hour), label: dates.hour(hour) }))}
          onChange={(hour) => change({ digestHour: Number(hour), timeZone })}
        />
        <p className="text-meta text-muted">
          In the time zone {settings.timeZone}. One email a day at most, and only if something is unread.
        </p>
        {settings.timeZone === timeZone ? null : (
          <div>
            <Button size="sm" onClick={() => change({ timeZone })}>
              Use {timeZone}
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

function Box({
  label,
  labelledBy,
  checked,
  disabled = false,
  onChange,
}: {
  label: string
  labelledBy: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}) {
  const id = useId()
  return (
    <label className="grid min-h-11 cursor-pointer place-items-center">
      <span id={id} className="sr-only">
        {label}
      </span>
      <input
        type="checkbox"
        aria-labelledby={`${labelledBy} ${id}`}
        className="size-5 accent-ink disabled:opacity-45"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  )
}
