import { Link } from '@tanstack/react-router'
import { Ticket } from 'lucide-react'
import { useSession } from '#client/app/session.ts'
import { nextPage, trpc } from '#client/app/trpc.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { RevokeInvite } from '#client/members/revoke-invite.tsx'
import { Time } from '#client/ui/time.tsx'
import { PagedList } from './paged-list.tsx'
import { toAdmin } from './section.ts'
import { plural } from '#shared/domain/message.ts'

// Loaded as the settings load it: an import by only one of the two would move it into that screen’s scripts.
const { AutoLoaded: OwnInvites } = lazyComponent(
  async () => (await import('#client/members/own-invites.tsx')).OwnInvites,
)

export function InvitesSection() {
  const isAdmin = useSession()?.user.role === 'admin'
  return (
    <>
      <h1 className="text-h2">Invites</h1>
      <OwnInvites />
      {isAdmin ? <AllInvites /> : null}
    </>
  )
}

function AllInvites() {
  const list = trpc.invites.listAll.useInfiniteQuery({}, nextPage)
  return (
    <section aria-labelledby="all-invites" className="mt-10">
      <h2 id="all-invites" className="text-h3">
        Everyone’s invites
      </h2>
      <PagedList
        list={list}
        rows={list.data?.pages.flatMap((page) => page.invites)}
        failure="The invites did not load"
        pending={{ count: 3, each: 'h-14' }}
        empty={
          <EmptyState icon={<Ticket aria-hidden />} title="No invites" className="mt-4">
            Nobody has invited anybody in the last weeks.
          </EmptyState>
        }
      >
        {(rows) => (
          <ul className="mt-3 border-t border-line">
            {rows.map(({ id, createdBy, note, uses, maxUses, expiresAt, isOpen, joined }) => (
              <li key={id} className="flex min-h-14 items-center gap-3 border-b border-line py-2">
                <div className="min-w-0 grow">
                  <p className="wrap-anywhere">
                    <Link {...toAdmin(`members/${createdBy.id}`)} className="font-semibold hover:underline">
                      <bdi>{createdBy.username}</bdi>
                    </Link>
                    {note === '' ? null : ` · ${note}`}
                  </p>
                  <p className="text-meta text-muted">
                    {isOpen ? (
                      <>
                        {uses} of {maxUses} used · until <Time value={expiresAt} />
                      </>
                    ) : (
                      <>
                        {uses} of {maxUses} used · closed, was until <Time value={expiresAt} />
                      </>
                    )}
                    {joined === 0 ? null : (
                      <>
                        {' · '}
                        <Link {...toAdmin('members', { invitedBy: String(createdBy.id) })} className="link">
                          {plural(joined, { one: 'Has invited # member', other: 'Has invited # members' })}
                        </Link>
                      </>
                    )}
                  </p>
                </div>
                {isOpen ? <RevokeInvite id={id} creator={createdBy.username} /> : null}
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  )
}
