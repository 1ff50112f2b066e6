import { errorText, trpc } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'

export function ResendVerification({ email }: { email: string }) {
  const resend = trpc.accounts.resendVerification.useMutation()
  return (
    <div role="status" className="mt-3 grid justify-items-start gap-2">
      {resend.isSuccess ? (
        <p className="text-muted">{resend.data.message}</p>
      ) : (
        <Button
          size="sm"
          variant="outline"
          busy={resend.isPending}
          busyLabel="Sending…"
          onClick={() => resend.mutate({ email })}
        >
          Resend the verification email
        </Button>
      )}
      {resend.error ? <p className="text-danger">{errorText(resend.error)}</p> : null}
    </div>
  )
}
