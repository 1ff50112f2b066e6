import { Link } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { FilterSelect } from '#client/titles/facet-selects.tsx'
import { FilterDialog } from '#client/app/filter-dialog.tsx'
import { SearchField } from '#client/app/search-field.tsx'
import { nextPage, trpc } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Time } from '#client/ui/time.tsx'
import { listMembers } from '#shared/contracts/admin.ts'
import { roles } from '#shared/domain/roles.ts'
import { MemberScreen } from './member-screen.tsx'
import { PagedList } from './paged-list.tsx'
import { roleNames, type SectionProps, toAdmin, useFilter } from './section.ts'
import { type MemberState, memberStates } from '#shared/domain/member-states.ts'

export function MembersSection({ rest, search }: SectionProps) {
  return /^[1-9]\d{0,14}$/.test(rest) ? <MemberScreen id={Number(rest)} /> : <MemberList search={search} />
}

function MemberList({ search }: Pick<SectionProps, 'search'>) {
  const parsed = listMembers.input.safeParse({
    ...search,
    ...(search['invitedBy'] && { invitedBy: Number(search['invitedBy']) }),
  })
  const { q, state, role, invitedBy } = parsed.data ?? {}
  const list = trpc.admin.members.useInfiniteQuery({ q, state, role, invitedBy }, nextPage)
  const members = list.data?.pages.flatMap((page) => page.members)
  const filter = useFilter('members', search)
  return (
    <>
      <h1 className="text-h2">Members</h1>
      <div className="mt-4 flex gap-3">
        <SearchField
          label="Search members"
          placeholder="Find members…"
          q={q}
          onChange={(typed) => filter({ q: typed })}
        />
        <FilterDialog values={{ state, role }} onChange={filter}>
          <FilterSelect
            label="State"
            all="All"
            value={state}
            onChange={(value) => filter({ state: value })}
            options={Object.entries(memberStates).map(([value, label]) => ({ value, label }))}
          />
          <FilterSelect
            label="Role"
            all="All"
            value={role}
            onChange={(value) => filter({ role: value })}
            options={roles.map((value) => ({ value, label: roleNames[value] }))}
          />
        </FilterDialog>
      </div>
      {invitedBy === undefined ? null : (
        <p className="mt-4 flex items-center gap-3 text-meta">
          Invited by one member.
          <button type="button" className="link min-h-9" onClick={() => filter({ invitedBy: undefined })}>
            Show all members
          </button>
        </p>
      )}
      <PagedList
        list={list}
        rows={members}
        failure="The members did not load"
        pending={{ count: 5, each: 'h-11' }}
        empty={
          <EmptyState icon={<UsersRound aria-hidden />} title="Nobody" className="mt-6">
            No account matches.
          </EmptyState>
        }
      >
        {(rows) => (
          <ul className="mt-4 border-t border-line">
            {rows.map((member) => (
              <li
                key={member.id}
                className="relative flex min-h-14 items-center gap-3 border-b border-line py-2 hover:bg-raised/60"
              >
                <Avatar name={member.username} src={member.profilePicture} size="sm" />
                <div className="min-w-0 grow">
                  <p dir="auto" className="truncate font-semibold">
                    <Link {...toAdmin(`members/${member.id}`)} className="after:absolute after:inset-0">
                      <bdi>{member.username}</bdi>
                    </Link>
                    {member.role === 'member' ? null : (
                      <span className="ms-2 text-meta text-accent">{member.role}</span>
                    )}
                  </p>
                  <p dir="auto" className="truncate text-meta text-muted">
                    {member.state === 'active' ? (
                      (member.email ?? '')
                    ) : (
                      <span className={isRestricted(member.state) ? 'text-danger' : undefined}>
                        {memberStates[member.state]}
                      </span>
                    )}
                    {member.signUpReason && member.state === 'pending' ? `: ${member.signUpReason}` : ''}
                  </p>
                </div>
                <Time value={member.createdAt} relative className="shrink-0 text-meta text-muted" />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  )
}

function isRestricted(state: MemberState): boolean {
  return state === 'frozen' || state === 'suspended'
}
