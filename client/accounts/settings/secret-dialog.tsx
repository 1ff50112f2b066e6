import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Check, Copy } from 'lucide-react'
import { Dialog } from '#client/ui/dialog.tsx'
import { Button } from '#client/ui/button.tsx'
import { inputClass } from '#client/ui/field-look.ts'

type Texts = { title: string; description: string }

/**
 * A dialog with a form (`children`) that creates something with a secret. After that the dialog shows the secret, which is shown only
 * once; `label` is the label of its field. Must be remounted (`key`) for each form.
 */
export function SecretDialog({
  open,
  onOpenChange,
  create,
  label,
  form,
  copying,
  children,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  create: { data: { secret: string } | undefined; isPending: boolean }
  label: string
  form: Texts
  copying: Texts
  children: ReactNode
}) {
  const secret = create.data?.secret
  return (
    <Dialog
      open={open}
      onOpenChange={(next, { reason }) => {
        // A click outside the dialog must not lose the secret, nor may the dialog close before the secret arrives.
        const isSafe = secret === undefined ? !create.isPending : reason !== 'outside-press'
        if (isSafe) onOpenChange(next)
      }}
      {...(secret === undefined ? form : copying)}
    >
      {secret === undefined ? (
        children
      ) : (
        <SecretField label={label} secret={secret} onDone={() => onOpenChange(false)} />
      )}
    </Dialog>
  )
}

const notCopied = 'Not copied. Please select the text and copy it.'

/** A secret that is shown only once, to be copied. */
function SecretField({ label, secret, onDone }: { label: string; secret: string; onDone: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const [copied, setCopied] = useState<'' | 'Copied.' | typeof notCopied>('')
  // Moves the focus, because the button that had it is gone.
  useEffect(() => field.current?.select(), [])
  async function copy() {
    try {
      await navigator.clipboard.writeText(secret)
      setCopied('Copied.')
    } catch {
      // Without https there is no clipboard, and the permission may be denied.
      field.current?.select()
      setCopied(notCopied)
    }
  }
  return (
    <div className="grid gap-5">
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-label">
          {label}
        </label>
        <input
          id={id}
          ref={field}
          readOnly
          value={secret}
          spellCheck={false}
          className={`${inputClass} h-12`}
        />
        <p role="status" className="min-h-lh text-meta text-muted">
          {copied}
        </p>
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          variant="primary"
          icon={copied === 'Copied.' ? <Check aria-hidden /> : <Copy aria-hidden />}
          onClick={() => void copy()}
        >
          Copy
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  )
}
