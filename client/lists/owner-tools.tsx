import { useNavigate } from '@tanstack/react-router'
import { Trash2, UserPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { useDebounced } from '#client/app/debounced.ts'
import { listPath } from '#client/app/deleted.ts'
import { deleteLater } from '#client/app/deletions.ts'
import { errorText, retryOnce, trpc } from '#client/app/trpc.ts'
import { moveByArrows } from '#client/ui/arrow-keys.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { useQuestion } from '#client/ui/question.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { messages } from '#shared/texts/messages.ts'
import { fail, type List } from './hooks.ts'
import { ListDialog } from './list-dialog.tsx'
import { onlyIconOnPhones } from './looks.ts'
import { t } from '#shared/domain/message.ts'

/** Only icons on phones, so that they take one row. */
export function OwnerTools({ list, icon }: { list: List; icon: ReactNode }) {
  const [open, setOpen] = useState<'settings' | 'editors'>()
  const close = () => setOpen(undefined)
  const navigate = useNavigate()
  const renew = trpc.lists.renewLink.useMutation({
    ...retryOnce,
    onSuccess() {
      void changed('list', list.id)
      showDone(t`The list has a new link. The old one no longer works.`)
    },
    onError: fail,
  })
  const [ask, question] = useQuestion()
  return (
    <>
      {question}
      <Button
        variant="ghost"
        icon={icon}
        className={onlyIconOnPhones}
        aria-haspopup="dialog"
        onClick={() => setOpen('settings')}
      >
        <span className="max-sm:sr-only">Settings</span>
      </Button>
      <Button
        variant="ghost"
        icon={<UserPlus aria-hidden />}
        className={onlyIconOnPhones}
        aria-haspopup="dialog"
        onClick={() => setOpen('editors')}
      >
        <span className="max-sm:sr-only">Editors</span>
      </Button>
      {list.visibility === 'link' ? (
        <Button
          variant="ghost"
          busy={renew.isPending}
          aria-haspopup="dialog"
          onClick={() =>
            ask({
              title: t`Make a new link?`,
              description: t`The old link no longer works for anybody who has it.`,
              label: t`New link`,
              onConfirm: () => renew.mutate({ id: list.id }),
            })
          }
        >
          New link
        </Button>
      ) : null}
      <Button
        variant="ghost"
        icon={<Trash2 aria-hidden />}
        className={onlyIconOnPhones}
        aria-haspopup="dialog"
        onClick={() =>
          ask({
            title: t`Delete this list?`,
            description: t`Its titles, notes and likes go with it.`,
            label: t`Delete`,
            onConfirm() {
              deleteLater({
                path: listPath(list.id),
                texts: { deleted: messages.listRemoved, failed: t`It could not be deleted` },
                onDeleted: () => void changed('lists'),
                onRestored: () => void changed('lists'),
              })
              void navigate({ to: '/lists', search: { tab: 'mine' } })
            },
          })
        }
      >
        <span className="max-sm:sr-only">Delete</span>
      </Button>
      <ListDialog list={list} open={open === 'settings'} onOpenChange={close} onDone={close} />
      <Dialog
        open={open === 'editors'}
        onOpenChange={close}
        title="Editors"
        description="Editors add, move and remove titles. The settings stay yours."
      >
        <Editors list={list} />
      </Dialog>
    </>
  )
}

function Editors({ list }: { list: List }) {
  const onSuccess = () => void changed('list', list.id)
  const invite = trpc.lists.invite.useMutation({ ...retryOnce, onSuccess })
  const remove = trpc.lists.removeEditor.useMutation({ ...retryOnce, onSuccess })
  const [ask, question] = useQuestion()
  const [text, setText] = useState('')
  const q = useDebounced(text.trim())
  const found = trpc.social.searchUsers.useQuery({ q, limit: 5 }, { enabled: q !== '' })
  const known = new Set([list.owner, ...list.editors, ...list.invited].map(({ id }) => id))
  const error = invite.error ?? remove.error ?? found.error
  return (
    <div className="grid gap-4">
      <ul aria-label="Editors">
        {[...list.editors, ...list.invited].map(({ id, username }) => (
          <li key={id} className="flex min-h-11 items-center justify-between gap-3">
            <span dir="auto" className="min-w-0 truncate">
              <bdi>{username}</bdi>
              {list.invited.some((one) => one.id === id) ? (
                <span className="text-meta text-muted">
                  {' · '}
                  {t`invited`}
                </span>
              ) : null}
            </span>
            <Button
              size="sm"
              variant="ghost"
              busy={remove.isPending}
              aria-label={t`Remove ${username}`}
              aria-haspopup="dialog"
              onClick={() =>
                ask({
                  title: t`Remove ${username} from the editors?`,
                  description: t`${username} can no longer change the list. What ${username} added stays.`,
                  label: t`Remove`,
                  onConfirm: () => remove.mutate({ id: list.id, userId: id }),
                })
              }
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the field and the buttons inside */}
      <div className="grid gap-4" onKeyDown={(event) => moveByArrows(event, q === text.trim())}>
        <TextField label="Invite a member" placeholder="Username" value={text} onChange={setText} />
        {q === '' || !found.data ? null : (
          <ul aria-label="Members to invite">
            {found.data.results
              .filter(({ id }) => !known.has(id))
              .map(({ id, username }) => (
                <li key={id} className="flex min-h-11 items-center justify-between gap-3">
                  <span dir="auto" className="min-w-0 truncate">
                    <bdi>{username}</bdi>
                  </span>
                  <Button
                    size="sm"
                    busy={invite.isPending}
                    aria-label={t`Invite ${username}`}
                    onClick={() => invite.mutate({ id: list.id, userId: id })}
                  >
                    Invite
                  </Button>
                </li>
              ))}
          </ul>
        )}
      </div>
      {error ? <Callout tone="error" title={errorText(error)} /> : null}
      {question}
    </div>
  )
}
