import { Check, Copy } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { inputClass } from '#client/ui/field-look.ts'

const notCopied = 'Not copied. Please select the text and copy it.'

/** A secret that is shown only once, to be copied. */
export function SecretField({
  label,
  secret,
  onDone,
}: {
  label: string
  secret: string
  onDone: () => void
}) {
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
