import { useState } from 'react'
import { TextField } from '#client/ui/field.tsx'
import { t } from '#shared/domain/message.ts'

/** The field `code` for the code of an authenticator app or, without the phone, a recovery code. */
export function CodeField() {
  const [hasPhone, setHasPhone] = useState(true)
  return (
    <div className="grid gap-1">
      <TextField
        isKept={false}
        key={String(hasPhone)}
        name="code"
        label={hasPhone ? t`Code from your app` : t`Recovery code`}
        hint={
          hasPhone
            ? t`The six digits that your authenticator app shows for this site.`
            : t`One of the ten codes that you saved. Each works once.`
        }
        autoComplete={hasPhone ? 'one-time-code' : 'off'}
        inputMode={hasPhone ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={60}
        required
      />
      <button
        type="button"
        className="link justify-self-start py-1.5 text-meta"
        onClick={() => setHasPhone(!hasPhone)}
      >
        {hasPhone ? t`I do not have my phone` : t`Use the app instead`}
      </button>
    </div>
  )
}
