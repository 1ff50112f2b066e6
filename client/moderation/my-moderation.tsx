import { Link } from '@tanstack/react-router'
import { LoadError } from '#client/app/load-error.tsx'
import { ShowMore } from '#client/app/show-more.tsx'
import { nextPage, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Time } from '#client/ui/time.tsx'
import { decisionHeadings } from './decision-headings.ts'
import { reportCategories, type ReportOutcome, targetNames } from '#shared/domain/moderation.ts'
import { t } from '#shared/domain/message.ts'

type Report = RouterOutputs['moderation']['myReports']['reports'][number]

const outcomes: Record<ReportOutcome, string> = {
  removed: t`A moderator removed it`,
  handled: t`A moderator has looked at it`,
}

export function MyModeration() {
  return (
    <div className="mt-10 grid gap-10 empty:hidden">
      <MyDecisions />
      <MyReports />
    </div>
  )
}

function MyDecisions() {
  const { data } = trpc.moderation.myDecisions.useQuery()
  if (!data || data.decisions.length === 0) return null
  return (
    <section aria-labelledby="decisions">
      <h2 id="decisions" className="text-h2">
        Decisions about you
      </h2>
      <ul className="mt-3 border-t border-line">
        {data.decisions.map(({ id, action, createdAt, endedAt, appeal }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 border-b border-line py-1.5">
            <Link
              to="/decisions/$decisionId"
              params={{ decisionId: String(id) }}
              className="link inline-flex min-h-9 items-center"
            >
              {decisionHeadings[action]}
            </Link>
            <p className="flex items-center gap-2 text-meta text-muted">
              {endedAt !== null ? t`Ended` : appeal === null ? null : t`Appealed`}
              <Time value={createdAt} relative />
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function MyReports() {
  const list = trpc.moderation.myReports.useInfiniteQuery({ limit: 10 }, nextPage)
  const reports = list.data?.pages.flatMap((page) => page.reports) ?? []
  if (list.error && !list.data)
    return <LoadError title="Your reports did not load" error={list.error} onRetry={list.refetch} />
  if (reports.length === 0) return null
  return (
    <section aria-labelledby="reports">
      <h2 id="reports" className="text-h2">
        Your reports
      </h2>
      <ul className="mt-3 border-t border-line">
        {reports.map((report) => (
          <ReportRow key={report.id} report={report} />
        ))}
      </ul>
      <ShowMore query={list} className="mt-4" />
    </section>
  )
}

function ReportRow({ report: { target, category, comment, createdAt, outcome } }: { report: Report }) {
  return (
    <li className="grid gap-x-4 gap-y-0.5 border-b border-line py-3 sm:grid-cols-[minmax(0,1fr)_auto]">
      <p>
        {targetNames[target.type]} · {reportCategories[category]}{' '}
        <Time value={createdAt} relative className="text-meta text-muted" />
      </p>
      <p className="text-meta font-semibold">
        {outcome === null ? t`Waits for a moderator` : outcomes[outcome]}
      </p>
      {comment === '' ? null : (
        <p dir="auto" className="text-meta text-muted wrap-anywhere sm:col-span-2">
          “{comment}”
        </p>
      )}
    </li>
  )
}
