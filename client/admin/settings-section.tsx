import { type ReactNode, useState } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { errorText, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Callout } from '#client/ui/callout.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { Form, type FormErrors, TextArea, TextField } from '#client/ui/field.tsx'
import { FoldedSection } from '#client/ui/section.tsx'
import { Select } from '#client/ui/select.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { SubmitButton } from '#client/ui/button.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { changeSettings } from '#shared/contracts/site.ts'
import { pageNames, pageTitles } from '#shared/domain/site-pages.ts'
import { IconField } from './icon-field.tsx'
import { SitePreview, SignUpPreview } from './previews.tsx'
import { RulesField } from './rules-field.tsx'
import { announcementMax, sitePageMax, siteDescriptionMax, siteNameMax } from '#shared/domain/limits.ts'
import { commaList } from '#client/ui/formats.ts'
import { t } from '#shared/domain/message.ts'

type Settings = RouterOutputs['site']['settings']['settings']
type Changes = Partial<Omit<Settings, 'version'>>

export function SettingsSection() {
  const { data, error, refetch } = trpc.site.settings.useQuery(undefined, { refetchOnWindowFocus: false })
  return (
    <>
      <h1 className="text-h2">Settings</h1>
      {error && data === undefined ? (
        <LoadError title="The settings did not load" error={error} onRetry={refetch} className="mt-6" />
      ) : data === undefined ? (
        <Skeletons count={2} each="h-80 rounded-card" className="mt-6 grid gap-6" />
      ) : (
        <div className="mt-6 grid gap-4">
          <Identity settings={data.settings} />
          <SignUp settings={data.settings} />
          <Rules settings={data.settings} />
          <Visitors settings={data.settings} />
          <Staff settings={data.settings} />
          <Pages settings={data.settings} />
        </div>
      )}
    </>
  )
}

function SettingsForm({
  title,
  note,
  read,
  preview,
  children,
}: {
  title: string
  /** What is saved. */
  note: string
  read: () => Changes
  preview?: ReactNode
  children: ReactNode
}) {
  const utils = trpc.useUtils()
  const [errors, setErrors] = useState<FormErrors>()
  const change = trpc.site.change.useMutation({
    onSuccess(output) {
      utils.site.settings.setData(undefined, output)
      showDone(t`Saved. Pages show it from now on.`)
    },
  })
  function submit() {
    const parsed = changeSettings.input.safeParse(read())
    if (parsed.success) {
      setErrors(undefined)
      return change.mutate(parsed.data)
    }
    // The field is the last part of the path: of registration.message, message.
    const [issue] = parsed.error.issues
    setErrors({ [String(issue!.path.findLast((part) => typeof part === 'string'))]: issue!.message })
  }
  const unplaced = errors && Object.values(errors).join(' ')
  return (
    <FoldedSection title={title} note={note}>
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-8 xl:grid-cols-[minmax(0,1fr)_18rem]">
        <Form errors={errors} onSubmit={submit}>
          {children}
          {change.error ? <Callout tone="error">{errorText(change.error)}</Callout> : null}
          {unplaced ? (
            <p role="alert" className="text-meta font-medium text-danger">
              {unplaced}
            </p>
          ) : null}
          <div className="actions">
            <SubmitButton busy={change.isPending} busyLabel="Saving…">
              Save
            </SubmitButton>
          </div>
        </Form>
        {preview}
      </div>
    </FoldedSection>
  )
}

function Identity({ settings }: { settings: Settings }) {
  const [name, setName] = useState(settings.name)
  const [description, setDescription] = useState(settings.description)
  const [accent, setAccent] = useState(settings.accent)
  const [icon, setIcon] = useState(settings.icon)
  const [contact, setContact] = useState(settings.contact ?? '')
  return (
    <SettingsForm
      title="Name and look"
      note={settings.name}
      read={() => ({ name, description, icon, accent, contact: contact.trim() === '' ? null : contact })}
      preview={<SitePreview name={name} description={description} icon={icon} accent={accent} />}
    >
      <TextField name="name" label="Name" value={name} onChange={setName} maxLength={siteNameMax} required />
      <TextArea
        name="description"
        label="Description"
        note="optional"
        rows={2}
        value={description}
        onChange={setDescription}
        limit={siteDescriptionMax}
        hint="In the footer, and in search engines."
      />
      <IconField icon={icon} onChange={setIcon} />
      <Checkbox
        label="An accent colour of our own"
        checked={accent !== null}
        onChange={(isOwn) => setAccent(isOwn ? 260 : null)}
      />
      {accent === null ? null : (
        <label className="grid gap-1.5 text-label">
          Hue: {accent}°
          <input
            type="range"
            min={0}
            max={359}
            value={accent}
            onChange={(event) => setAccent(Number(event.currentTarget.value))}
            className="h-11 w-full"
          />
        </label>
      )}
      <TextField
        name="contact"
        label="Contact address"
        note="optional"
        type="email"
        value={contact}
        onChange={setContact}
        hint="Everyone sees it in the footer."
      />
    </SettingsForm>
  )
}

const modes = [
  { value: 'open', label: t`Everyone` },
  { value: 'approval', label: t`Everyone, after a moderator has approved` },
  { value: 'invite', label: t`People with an invite` },
  { value: 'closed', label: t`Nobody` },
] as const
const inviters = [
  { value: 'members', label: t`All members` },
  { value: 'moderators', label: t`Moderators and admins` },
  { value: 'admins', label: t`Admins` },
] as const

function SignUp({ settings: { registration, rules } }: { settings: Settings }) {
  const [mode, setMode] = useState(registration.mode)
  const [message, setMessage] = useState(registration.message)
  const [reasonRequired, setReasonRequired] = useState(registration.reasonRequired)
  const [invitesBy, setInvitesBy] = useState(registration.invitesBy)
  const [isChecked, setChecked] = useState(registration.challenge === 'on')
  const [domains, setDomains] = useState(registration.blockedEmailDomains.join('\n'))
  const blockedEmailDomains = domains
    .split(/[\s,]+/)
    .map((domain) => domain.replace(/^@/, ''))
    .filter(Boolean)
  return (
    <SettingsForm
      title="Sign-up"
      note={modes.find(({ value }) => value === registration.mode)!.label}
      read={() => ({
        registration: {
          mode,
          message,
          reasonRequired,
          invitesBy,
          challenge: isChecked ? 'on' : 'off',
          blockedEmailDomains,
        },
      })}
      preview={<SignUpPreview mode={mode} message={message} rules={rules} />}
    >
      <Select shape="field" label="Who may sign up" value={mode} onChange={setMode} options={modes} />
      {mode === 'approval' ? (
        <Checkbox
          label="Applicants must say why they would like to join"
          checked={reasonRequired}
          onChange={setReasonRequired}
        />
      ) : null}
      <Select
        shape="field"
        label="Who may invite"
        value={invitesBy}
        onChange={setInvitesBy}
        options={inviters}
      />
      <Checkbox
        label="Slow robots down"
        hint="Each sign-up requires a proof of work, which takes a browser about a second. There is no puzzle. Requires HTTPS."
        checked={isChecked}
        onChange={setChecked}
      />
      <TextArea
        name="message"
        label="Message at the sign-up"
        note="optional"
        rows={2}
        value={message}
        onChange={setMessage}
        limit={500}
      />
      <TextArea
        name="blockedEmailDomains"
        label="Blocked email domains"
        note="optional"
        rows={2}
        value={domains}
        onChange={setDomains}
        hint="One per line. Subdomains are blocked too."
      />
    </SettingsForm>
  )
}

function Rules({ settings }: { settings: Settings }) {
  const [rules, setRules] = useState(settings.rules)
  return (
    <SettingsForm
      title="Rules"
      note={settings.rules.length === 0 ? t`None yet` : String(settings.rules.length)}
      read={() => ({ rules })}
    >
      <p className="text-muted">Members accept them when they sign up. Reports refer to them.</p>
      <RulesField rules={rules} onChange={setRules} />
    </SettingsForm>
  )
}

function Visitors({ settings }: { settings: Settings }) {
  const [visitorsMayRead, setVisitorsMayRead] = useState(settings.visitorsMayRead)
  const [text, setText] = useState(settings.announcement?.text ?? '')
  const [until, setUntil] = useState(settings.announcement?.until?.slice(0, 10) ?? '')
  return (
    <SettingsForm
      title="Visitors and announcement"
      note={[
        settings.visitorsMayRead ? t`Visitors may read` : t`Members only`,
        settings.announcement === null ? t`no announcement` : `“${settings.announcement.text}”`,
      ].join(' · ')}
      read={() => ({
        visitorsMayRead,
        announcement:
          text.trim() === '' ? null : { text, until: until === '' ? null : `${until}T23:59:59.000Z` },
      })}
    >
      <Checkbox
        label="Visitors may read"
        hint="Otherwise they see the login, the sign-up and the pages below, and nothing else."
        checked={visitorsMayRead}
        onChange={setVisitorsMayRead}
      />
      <TextField
        name="text"
        label="Announcement"
        note="optional"
        value={text}
        onChange={setText}
        maxLength={announcementMax}
        hint="A bar above every page, which everyone can close."
      />
      <TextField name="until" label="Until" note="optional" type="date" value={until} onChange={setUntil} />
    </SettingsForm>
  )
}

function Staff({ settings }: { settings: Settings }) {
  const [staffNeedsFactor, setStaffNeedsFactor] = useState(settings.staffNeedsFactor)
  return (
    <SettingsForm
      title="Moderators and admins"
      note={settings.staffNeedsFactor ? t`Need a second step at the login` : t`Need only a password`}
      read={() => ({ staffNeedsFactor })}
    >
      <Checkbox
        label="Moderators and admins need a second step at the login"
        hint="Without a code from an app, or a passkey, their tools stay closed, yours too. They set one up in Settings → Account → Sign-in. Access tokens are not affected."
        checked={staffNeedsFactor}
        onChange={setStaffNeedsFactor}
      />
    </SettingsForm>
  )
}

function Pages({ settings }: { settings: Settings }) {
  const [pages, setPages] = useState(settings.pages)
  const written = pageNames.filter((name) => settings.pages[name] !== '')
  return (
    <SettingsForm
      title="Pages"
      note={written.length === 0 ? t`None yet` : commaList(written.map((name) => pageTitles[name]))}
      read={() => ({ pages })}
    >
      <p className="text-muted">
        Markdown, without HTML. A blank page does not exist. The others are linked in the footer.
      </p>
      {pageNames.map((name) => (
        <TextArea
          key={name}
          name={name}
          label={pageTitles[name]}
          note={
            settings.pages[name] === '' ? undefined : (
              <a href={`/${name}`} target="_blank" rel="noreferrer" className="link">
                Open the page
              </a>
            )
          }
          rows={3}
          value={pages[name]}
          onChange={(text) => setPages((all) => ({ ...all, [name]: text }))}
          limit={sitePageMax}
        />
      ))}
    </SettingsForm>
  )
}
