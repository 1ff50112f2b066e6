import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { errorText, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { commaList, useFormats } from '#client/ui/formats.ts'
import { Section } from '#client/ui/section.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Time } from '#client/ui/time.tsx'
import { showDone, toasts } from '#client/ui/toasts.ts'
import { outsideSources, sourceVariables } from '#shared/domain/source-variables.ts'
import { toAdmin } from './section.ts'
import { overdueDays, overviewDays } from '#shared/domain/limits.ts'
import { isolated, plural, t } from '#shared/domain/message.ts'
import { dayMs } from '#shared/domain/days.ts'

type Overview = RouterOutputs['admin']['overview']

export function OverviewSection() {
  const { data, dataUpdatedAt, error, refetch } = trpc.admin.overview.useQuery()
  const isAdmin = useSession()?.user.role === 'admin'
  return (
    <>
      <h1 className="text-h2">Overview</h1>
      {error && data === undefined ? (
        <LoadError title="The overview did not load" error={error} onRetry={refetch} className="mt-6" />
      ) : data === undefined ? (
        <Skeleton className="mt-6 h-96 animate-appear rounded-card" />
      ) : (
        <div className="mt-6 grid gap-6">
          <NeedsAHand overview={data} />
          {isAdmin ? <Checklist overview={data} /> : null}
          <Numbers overview={data} />
          <Operation overview={data} dataUpdatedAt={dataUpdatedAt} />
        </div>
      )}
    </>
  )
}

function NeedsAHand({ overview: { pending, cases } }: { overview: Overview }) {
  const link = (path: string, search: Record<string, string>, children: ReactNode) => (
    <Link {...toAdmin(path, search)} className="link">
      {children}
    </Link>
  )
  const items = [
    cases.open > 0 && (
      <>
        {link('reports', {}, plural(cases.open, { one: '# report waiting', other: '# reports waiting' }))}
        {cases.oldest === null || cases.overdue === 0 ? null : (
          <span className="text-muted">
            {' · '}
            <span>
              the oldest <Time value={cases.oldest} relative />
            </span>
          </span>
        )}
        {cases.overdue === 0 ? null : (
          <strong className="text-danger">
            {' · '}
            <span>
              {cases.overdue} overdue (more than {overdueDays} days)
            </span>
          </strong>
        )}
      </>
    ),
    cases.appealed > 0 &&
      link(
        'reports',
        { state: 'appealed' },
        plural(cases.appealed, {
          one: '# appeal waits for an answer',
          other: '# appeals wait for an answer',
        }),
      ),
    pending > 0 &&
      link(
        'members',
        { state: 'pending' },
        plural(pending, { one: '# account waits for approval', other: '# accounts wait for approval' }),
      ),
  ].filter((item) => item !== false)
  if (items.length === 0) return null
  return (
    <ul className="card grid gap-2" aria-label="Needs a hand">
      {items.map((item, index) => (
        <li key={index}>{item}</li>
      ))}
    </ul>
  )
}

function Numbers({ overview: { days, firstDay, members } }: { overview: Overview }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Plot
        label="Active members"
        series={days.active}
        firstDay={firstDay}
        {...(members > 0 && { note: t`of ${members}` })}
      />
      <Plot label="Sign-ups" series={days.signUps} firstDay={firstDay} />
      <Plot label="Ratings" series={days.ratings} firstDay={firstDay} />
      <Plot label="Reviews" series={days.reviews} firstDay={firstDay} />
    </div>
  )
}

function Plot({
  label,
  series,
  firstDay,
  note,
}: {
  label: string
  series: readonly number[]
  firstDay: string
  note?: string
}) {
  const { count } = useFormats()
  const { date } = useDates()
  const most = Math.max(1, ...series)
  const width = 100 / overviewDays
  const last = new Date(Date.parse(firstDay) + (overviewDays - 1) * dayMs).toISOString().slice(0, 10)
  const sum = series.reduce((all, one) => all + one, 0)
  return (
    <figure
      className="card"
      aria-label={t`${label}: ${series.at(-1) ?? 0} today, ${sum} in ${overviewDays} days`}
    >
      <figcaption className="flex items-baseline justify-between gap-3">
        <span className="text-label">{label}</span>
        <span className="text-meta text-muted tabular-nums">
          <span>
            today <strong className="text-ink">{count(series.at(-1) ?? 0)}</strong>
          </span>{' '}
          {note}
        </span>
      </figcaption>
      {sum === 0 ? (
        <p aria-hidden className="mt-1.5 text-meta text-muted">
          None in the last {overviewDays} days
        </p>
      ) : (
        <>
          <svg aria-hidden className="mt-3 h-24 w-full">
            {series.map((value, index) => (
              <rect
                key={index}
                x={`${(index + 0.12) * width}%`}
                width={`${0.76 * width}%`}
                y={`${100 - (97 * value) / most}%`}
                height={`${(97 * value) / most}%`}
                className="fill-accent"
              />
            ))}
            <line x1="0" x2="100%" y1="100%" y2="100%" className="stroke-line stroke-2" />
          </svg>
          <p aria-hidden className="mt-1.5 flex justify-between text-tiny text-muted">
            <span>{date(firstDay)}</span>
            <span>{date(last)}</span>
          </p>
        </>
      )}
    </figure>
  )
}

function Checklist({ overview }: { overview: Overview }) {
  const sendTestMail = trpc.admin.sendTestMail.useMutation({
    onSuccess: ({ message }) => showDone(message),
    onError: (error) => toasts.add({ title: errorText(error) }),
  })
  const testSource = trpc.admin.testSource.useMutation({
    onSuccess: ({ isWorking, message }, { name }) =>
      toasts.add({
        title: `${outsideSources[name].name}: ${message}`,
        ...(isWorking && { tone: 'success' as const }),
      }),
    onError: (error) => toasts.add({ title: errorText(error) }),
  })
  const settings = (
    <Link {...toAdmin('settings')} className="link">
      Settings
    </Link>
  )
  return (
    <Section title="To do" className="card">
      <ul className="grid gap-1">
        <Item isDone={overview.isNamed} action={settings}>
          The site has a name of its own
        </Item>
        <Item isDone={overview.hasRules} action={settings}>
          It has rules
        </Item>
        <Item isDone={overview.choseRegistration} action={settings}>
          You have chosen who may sign up
        </Item>
        <Item
          isDone={overview.sendsMail}
          how="Set SMTP_URL to the address of your mail server, and restart Medley. The test email says whether it works."
          action={
            <Button busy={sendTestMail.isPending} onClick={() => sendTestMail.mutate()}>
              Send a test email
            </Button>
          }
        >
          {overview.sendsMail ? t`Emails are sent` : t`Set up email`}
        </Item>
        {overview.sources.map(({ name, isConfigured }) => (
          <Item
            key={name}
            isDone={isConfigured}
            how={t`Set ${sourceVariables[name]}, and restart Medley.`}
            action={
              isConfigured ? (
                <Button busy={testSource.isPending} onClick={() => testSource.mutate({ name })}>
                  Test {outsideSources[name].name}
                </Button>
              ) : undefined
            }
          >
            {name === 'tvmaze'
              ? t`Episodes are found in ${outsideSources[name].name}`
              : t`Titles are found in ${outsideSources[name].name}`}
          </Item>
        ))}
        <Item isDone={overview.lastBackupAt !== null} how="Run medley backup, once a day for example.">
          There is a backup
        </Item>
      </ul>
    </Section>
  )
}

/** `how` is for what only the server's operator can do. */
function Item({
  isDone,
  how,
  action,
  children,
}: {
  isDone: boolean
  how?: string
  action?: ReactNode
  children: ReactNode
}) {
  const Icon = isDone ? CircleCheck : CircleDashed
  return (
    <li className="grid min-h-11 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 py-1 sm:grid-cols-[auto_minmax(0,1fr)_auto]">
      <Icon aria-hidden className={isDone ? 'size-5 text-ok' : 'size-5 text-muted'} />
      <div className="wrap-anywhere">
        <p>
          {children}
          <span className="sr-only"> {isDone ? t`(done)` : t`(to do)`}</span>
        </p>
        {isDone || how === undefined ? null : (
          <details className="text-meta text-muted">
            <summary className="link min-h-6 w-fit">
              How<span className="sr-only">: {children}</span>
            </summary>
            {how}
          </details>
        )}
      </div>
      {action ? <span className="max-sm:col-start-2">{action}</span> : null}
    </li>
  )
}

function Operation({ overview, dataUpdatedAt }: { overview: Overview; dataUpdatedAt: number }) {
  const { queues, storage, lastBackupAt, version } = overview
  const { count } = useFormats()
  const { date, ago } = useDates()
  const size = (bytes: number) => t`${count(Math.round(bytes / 1024 / 1024))} MB`
  const rows: [string, string][] = [
    [t`Version`, version],
    [t`Database`, size(storage.databaseBytes)],
    [t`Pictures`, size(storage.pictureBytes)],
    [t`Last backup`, lastBackupAt === null ? t`None in the data folder` : date(lastBackupAt)],
    ...overview.sources
      .filter(({ succeededAt, failedAt }) => succeededAt !== null || failedAt !== null)
      .map(({ name, succeededAt, failedAt, error }): [string, string] => [
        t`Source: ${outsideSources[name].name}`,
        [
          succeededAt !== null && t`answered ${ago(succeededAt)}`,
          failedAt !== null &&
            (error ? t`failed ${ago(failedAt)}: ${isolated(error)}` : t`failed ${ago(failedAt)}`),
        ]
          .filter(Boolean)
          .join(' · '),
      ]),
    ...queues.map(({ name, waiting, givenUp, oldest }): [string, string] => [
      t`Queue: ${isolated(name)}`,
      commaList([
        oldest !== null && Date.parse(oldest) > dataUpdatedAt
          ? t`${count(waiting)} scheduled`
          : oldest === null
            ? t`${count(waiting)} waiting`
            : t`${count(waiting)} waiting, the oldest was due ${ago(oldest)}`,
        givenUp > 0 && t`${count(givenUp)} given up`,
      ]),
    ]),
  ]
  return (
    <Section title="Operation" className="card">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-meta">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
