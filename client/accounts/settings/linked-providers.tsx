import { ExternalLink } from 'lucide-react'
import { changed } from '#client/app/facts.ts'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { useQuestion } from '#client/ui/question.tsx'
import { Time } from '#client/ui/time.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { useProviders } from '#client/app/providers.ts'
import { useConfirmation } from './confirmation.tsx'
import { t } from '#shared/domain/message.ts'

type Linked = RouterOutputs['accounts']['signIn']['providers']

/** The services of the site, and those that the member has linked before. */
export function LinkedProviders({ linked, onDone }: { linked: Linked; onDone: () => void }) {
  const { providers } = useProviders()
  const [confirmed, confirmation] = useConfirmation()
  const [ask, question] = useQuestion()
  const link = trpc.accounts.linkProvider.useMutation()
  const unlink = trpc.accounts.unlinkProvider.useMutation()
  const others = providers.filter(({ name }) => !linked.some((one) => one.name === name))
  if (linked.length === 0 && others.length === 0) return null
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h3 className="text-label">With another account of yours</h3>
        <p className="text-meta text-muted">
          Log in here with an account that you have elsewhere. We learn your name and your email address
          there, not your password.
        </p>
      </div>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-label="Other accounts">
        {[...linked, ...others].map((one) => (
          <li
            key={one.name}
            className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface p-4"
          >
            <div className="min-w-0 grow basis-40">
              <p className="text-label wrap-anywhere">{one.label}</p>
              <p className="text-meta text-muted">
                {'linkedAt' in one ? (
                  <>
                    Linked <Time value={one.linkedAt} />
                  </>
                ) : (
                  t`Not linked`
                )}
              </p>
            </div>
            {'linkedAt' in one ? (
              <Button
                aria-haspopup="dialog"
                onClick={() =>
                  ask({
                    title: t`Unlink ${one.label}?`,
                    description: t`You can then no longer log in here with ${one.label}. Your account there stays as it is.`,
                    label: t`Unlink`,
                    onConfirm: () =>
                      void confirmed(t`${one.label} is still linked.`, async () => {
                        showDone((await unlink.mutateAsync({ name: one.name })).message)
                        await changed('signIn')
                        onDone()
                      }),
                  })
                }
              >
                Unlink
                <VisuallyHidden> {one.label}</VisuallyHidden>
              </Button>
            ) : (
              <Button
                icon={<ExternalLink aria-hidden />}
                busy={link.isPending}
                onClick={() =>
                  void confirmed(t`${one.label} is not linked.`, async () => {
                    const { name } = one
                    location.assign((await link.mutateAsync({ name, redirect: '/settings?tab=account' })).url)
                  })
                }
              >
                Link
                <VisuallyHidden> {one.label}</VisuallyHidden>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {confirmation}
      {question}
    </li>
  )
}
