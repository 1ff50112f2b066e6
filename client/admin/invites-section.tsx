import { Link } from '@tanstack/react-router'
import { Ticket, Trash2 } from 'lucide-react'
import { useSession } from '#client/app/session.ts'
import { errorText, nextPage, trpc } from '#client/app/trpc.ts'
import { IconButton } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { useQuestion } from '#client/ui/question.tsx'
import { Time } from '#client/ui/time.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { PagedList } from './paged-list.tsx'
import { toAdmin } from './section.ts'

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
  const utils = trpc.useUtils()
  const list = trpc.invites.listAll.useInfiniteQuery({}, nextPage)
  const remove = trpc.invites.remove.useMutation({
    onSuccess: () => utils.invites.invalidate(),
    onError: (error) => toasts.add({ tone: 'error', title: errorText(error) }),
  })
  const [ask, question] = useQuestion()
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
                      {createdBy.username}
                    </Link>
                    {note === '' ? null : ` · ${note}`}
                  </p>
                  <p className="text-meta text-muted">
                    {uses} of {maxUses} used · {isOpen ? 'until ' : 'closed, was until '}
                    <Time value={expiresAt} />
                    {joined === 0 ? null : (
                      <>
                        {' · '}
                        <Link {...toAdmin('members', { invitedBy: String(createdBy.id) })} className="link">
                          Has invited {joined === 1 ? 'one member' : `${joined} members`}
                        </Link>
                      </>
                    )}
                  </p>
                </div>
                {isOpen ? (
                  <IconButton
                    label={`Revoke this invite of ${createdBy.username}`}
                    aria-haspopup="dialog"
                    onClick={() =>
                      ask({
                        title: `Revoke this invite of ${createdBy.username}?`,
                        description: 'Its link no longer works. Who has joined with it stays.',
                        label: 'Revoke',
                        onConfirm: () => remove.mutate({ id }),
                      })
                    }
                  >
                    <Trash2 aria-hidden />
                  </IconButton>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {question}
    </section>
  )
}
