import { Link, useNavigate } from '@tanstack/react-router'
import { refreshUser } from '#client/app/user.ts'
import { errorText, trpc } from '#client/app/trpc.ts'
import { useSession } from '#client/app/session.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { toAdmin } from './section.ts'

/** Requires a press: a link alone changes nothing. */
export function SetupScreen({ code }: { code: string }) {
  const navigate = useNavigate()
  const setUp = trpc.site.setUp.useMutation({
    async onSuccess() {
      await refreshUser()
      await navigate(toAdmin(''))
    },
  })
  if (useSession()?.user.role === 'admin' && !setUp.isPending)
    return (
      <div className="page grid max-w-xl! content-start gap-5 py-12">
        <h1 className="text-h1">You are an admin</h1>
        <p className="text-lead text-muted">
          This link has nothing to add. It works once, for another member.
        </p>
        <ButtonLink
          variant="primary"
          size="lg"
          className="justify-self-start"
          render={<Link {...toAdmin('')} />}
        >
          Go to the site’s administration
        </ButtonLink>
      </div>
    )
  return (
    <div className="page grid max-w-xl! content-start gap-5 py-12">
      <h1 className="text-h1">Become the admin</h1>
      <p className="text-lead text-muted">
        An admin changes the settings of this site and the roles of its members. The link works once.
      </p>
      {setUp.error ? <Callout tone="error">{errorText(setUp.error)}</Callout> : null}
      <Button
        variant="primary"
        size="lg"
        busy={setUp.isPending}
        className="justify-self-start"
        onClick={() => setUp.mutate({ code })}
      >
        Make me the admin
      </Button>
    </div>
  )
}
