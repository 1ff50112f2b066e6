import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Download, ScrollText } from 'lucide-react'
import { FilterDialog } from '#client/app/filter-dialog.tsx'
import { download } from '#client/app/download.ts'
import { FilterSelect } from '#client/titles/facet-selects.tsx'
import { nextPage, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Form, TextField } from '#client/ui/field.tsx'
import { Time } from '#client/ui/time.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { type AuditFilters, auditFilters } from '#shared/contracts/audit.ts'
import { PagedList } from './paged-list.tsx'
import { type SectionProps, sentence, useFilter } from './section.ts'
import { type AuditAction, auditActions, type AuditTarget, auditTargets } from '#shared/domain/audit.ts'
import { truncate } from '#shared/texts/truncate.ts'
import { t } from '#shared/domain/message.ts'

type AuditEntry = RouterOutputs['admin']['audit']['entries'][number]

export function AuditSection({ search }: SectionProps) {
  const parsed = auditFilters.safeParse({
    ...search,
    ...(search['targetId'] && { targetId: Number(search['targetId']) }),
  })
  const filters: AuditFilters = parsed.data ?? {}
  const { action, target, actor, from, to } = filters
  const list = trpc.admin.audit.useInfiniteQuery(filters, nextPage)
  const entries = list.data?.pages.flatMap((page) => page.entries)
  const filter = useFilter('audit', search)
  const saving = useMutation({
    mutationFn: () =>
      download(
        `/admin/audit.csv?${new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))}`,
        'text/csv',
      ),
    onError: (error) =>
      toasts.add({ tone: 'error', title: t`The log was not downloaded`, description: error.message }),
  })
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-h2">Audit</h1>
        <div className="flex flex-wrap gap-2">
          <FilterDialog values={{ action, target, actor, from, to }} onChange={filter}>
            <FilterSelect
              label="Action"
              all="All"
              value={action}
              onChange={(next) => filter({ action: next })}
              options={Object.entries(auditActions).map(([value, words]) => ({
                value,
                label: sentence(words),
              }))}
            />
            <FilterSelect
              label="About"
              all="Everything"
              value={target}
              onChange={(next) => filter({ target: next, targetId: undefined })}
              options={auditTargets.map((value) => ({ value, label: targetNames[value] }))}
            />
            {/* The key empties the fields when the filters are cleared. */}
            <Form
              key={JSON.stringify([actor, from, to])}
              onSubmit={(typed: Record<string, string>) =>
                filter({
                  actor: typed['actor'] || undefined,
                  from: typed['from'] || undefined,
                  to: typed['to'] || undefined,
                })
              }
              className="w-full grid-cols-2!"
            >
              <TextField
                name="actor"
                label="By"
                defaultValue={actor ?? ''}
                autoComplete="off"
                className="col-span-2"
              />
              <TextField name="from" label="From" type="date" defaultValue={from ?? ''} />
              <TextField name="to" label="To" type="date" defaultValue={to ?? ''} />
              {/* Enter submits a form of several fields only if it has a button. */}
              <button type="submit" hidden>
                Filter
              </button>
            </Form>
          </FilterDialog>
          <Button
            variant="ghost"
            icon={<Download aria-hidden />}
            busy={saving.isPending}
            onClick={() => saving.mutate()}
          >
            Download as CSV
          </Button>
        </div>
      </div>
      <p className="mt-2 max-w-[60ch] text-muted">
        What moderators and admins did. Nothing here can be changed or removed.
      </p>
      {filters.targetId === undefined ? null : (
        <p className="mt-4 flex items-center gap-3 text-meta">
          {t`About: ${targetNames[filters.target!]} ${filters.targetId}`}
          <button
            type="button"
            className="link min-h-9"
            onClick={() => filter({ target: undefined, targetId: undefined })}
          >
            Show all entries
          </button>
        </p>
      )}
      <PagedList
        list={list}
        rows={entries}
        failure="The audit log did not load"
        pending={{ count: 4, each: 'h-11' }}
        empty={
          <EmptyState icon={<ScrollText aria-hidden />} title="No entries" className="mt-6">
            {Object.keys(search).length > 0
              ? t`No entry matches these filters.`
              : t`Nothing has been done yet.`}
          </EmptyState>
        }
      >
        {(rows) => (
          <ol className="mt-6 border-t border-line">
            {rows.map((entry) => (
              <AuditRow key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
      </PagedList>
    </>
  )
}

const targetNames: Record<AuditTarget, string> = {
  site: t`Site`,
  user: t`User`,
  invite: t`Invite`,
  title: t`Title`,
  review: t`Review`,
  comment: t`Comment`,
  list: t`List`,
  case: t`Case`,
  decision: t`Decision`,
}

const sentences: Record<AuditAction, (who: ReactNode, what: ReactNode) => ReactNode> = {
  'settings.change': (who, what) => (
    <>
      {who} changed the settings {what}
    </>
  ),
  'role.change': (who, what) => (
    <>
      {who} changed the role of {what}
    </>
  ),
  'case.open': (who, what) => (
    <>
      {who} opened a case about {what}
    </>
  ),
  'case.assign': (who, what) => (
    <>
      {who} assigned {what}
    </>
  ),
  'decision.make': (who, what) => (
    <>
      {who} decided about {what}
    </>
  ),
  'decision.undo': (who, what) => (
    <>
      {who} undid {what}
    </>
  ),
  'appeal.answer': (who, what) => (
    <>
      {who} answered an appeal against {what}
    </>
  ),
  'title.correct': (who, what) => (
    <>
      {who} corrected {what}
    </>
  ),
  'invite.revoke': (who, what) => (
    <>
      {who} revoked {what}
    </>
  ),
  'member.approve': (who, what) => (
    <>
      {who} approved {what}
    </>
  ),
  'member.reject': (who, what) => (
    <>
      {who} rejected {what}
    </>
  ),
  'member.logOut': (who, what) => (
    <>
      {who} ended the sessions of {what}
    </>
  ),
  'member.sendReset': (who, what) => (
    <>
      {who} sent a new password link to {what}
    </>
  ),
  'member.loginLink': (who, what) => (
    <>
      {who} made a login link for {what}
    </>
  ),
  'member.delete': (who, what) => (
    <>
      {who} scheduled the deletion of {what}
    </>
  ),
  'member.export': (who, what) => (
    <>
      {who} downloaded the data of {what}
    </>
  ),
}

function AuditRow({ entry: { actor, action, target, before, after, reason, at } }: { entry: AuditEntry }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <li className="grid gap-x-4 gap-y-0.5 border-b border-line py-2.5 sm:grid-cols-[minmax(0,1fr)_auto]">
      <p className="wrap-anywhere">
        {sentences[action](
          <strong>
            <bdi>{actor.name}</bdi>
          </strong>,
          <strong>{thingOf(target)}</strong>,
        )}
      </p>
      <Time value={at} relative className="text-meta text-muted" />
      {names.length === 0 ? null : (
        <ul className="text-meta text-muted sm:col-span-2">
          {names.map((name) => (
            <li key={name} translate="no" className="wrap-anywhere">
              {name}: {before === null ? '' : `${shown(before[name])} → `}
              {shown(after?.[name])}
            </li>
          ))}
        </ul>
      )}
      {reason === '' ? null : (
        <p dir="auto" className="text-meta text-muted wrap-anywhere sm:col-span-2">
          “{reason}”
        </p>
      )}
    </li>
  )
}

function thingOf({ type, id, name }: AuditEntry['target']): string {
  if (id === null || (type === 'user' && name !== '')) return name
  return [`${targetNames[type]} ${id}`, name].filter(Boolean).join(' · ')
}

/** A value can have 50,000 characters. */
const shownMax = 120

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return truncate(typeof value === 'string' ? value : JSON.stringify(value), shownMax)
}
