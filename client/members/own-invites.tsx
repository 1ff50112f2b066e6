import { useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { copyLink } from '#client/app/copy-link.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useSite } from '#client/app/site.ts'
import { errorText, trpc } from '#client/app/trpc.ts'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Form, TextField } from '#client/ui/field.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Time } from '#client/ui/time.tsx'
import { RevokeInvite } from './revoke-invite.tsx'
import { t } from '#shared/domain/message.ts'

/** `isQuiet` renders nothing for members who may not invite and have no invites. */
export function OwnInvites({ isQuiet = false }: { isQuiet?: boolean }) {
  const { registration } = useSite()
  const { data, error, refetch } = trpc.invites.list.useQuery()
  const [note, setNote] = useState('')
  const [maxUses, setMaxUses] = useState('1')
  const [expiresInDays, setDays] = useState('7')
  const create = trpc.invites.create.useMutation({
    async onSuccess() {
      setNote('')
      await changed('invite')
    },
  })
  if (isQuiet && (!data || (!data.mayInvite && data.invites.length === 0))) return null
  const content = (
    <>
      <p className="mt-1 max-w-[60ch] text-muted">
        {registration.mode === 'closed'
          ? t`Nobody can sign up at the moment, not even with an invite.`
          : t`Whoever has the link can sign up, also while the sign-up is for people with an invite only.`}
      </p>
      {data && !data.mayInvite ? null : (
        <Form
          onSubmit={() =>
            create.mutate({ note, maxUses: Number(maxUses), expiresInDays: Number(expiresInDays) })
          }
          className="mt-5 grid-cols-2! items-end gap-3! lg:grid-cols-[2fr_7rem_7rem_auto]!"
        >
          <TextField
            label="Note"
            note="optional"
            value={note}
            onChange={setNote}
            maxLength={200}
            className="max-lg:col-span-2"
          />
          <TextField label="People" type="number" min={1} max={100} value={maxUses} onChange={setMaxUses} />
          <TextField label="Days" type="number" min={1} max={90} value={expiresInDays} onChange={setDays} />
          <SubmitButton busy={create.isPending} className="max-lg:col-span-2 lg:min-h-12">
            Create invite
          </SubmitButton>
        </Form>
      )}
      {create.error ? (
        <Callout tone="error" className="mt-4">
          {errorText(create.error)}
        </Callout>
      ) : null}
      {error && data === undefined ? (
        <LoadError title="The invites did not load" error={error} onRetry={refetch} className="mt-6" />
      ) : data === undefined ? (
        <Skeleton className="mt-6 h-40 animate-appear" />
      ) : data.invites.length === 0 ? (
        <p className="mt-6 text-muted">You have no invites. Create one and send its link to somebody.</p>
      ) : (
        <ul className="mt-6 border-t border-line" aria-label="Your invites">
          {data.invites.map(({ id, url, note: about, uses, maxUses: max, expiresAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
              <div className="min-w-0 grow basis-60">
                <p dir="auto" className="font-semibold wrap-anywhere">
                  {about || url}
                </p>
                <p className="text-meta text-muted">
                  {uses} of {max} used · until <Time value={expiresAt} />
                </p>
              </div>
              <Button onClick={() => void copyLink(url)}>Copy link</Button>
              <RevokeInvite id={id} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
  if (!isQuiet) return content
  return (
    <section aria-labelledby="invites" className="mt-10">
      <h2 id="invites" className="text-h2">
        Invites
      </h2>
      {content}
    </section>
  )
}
