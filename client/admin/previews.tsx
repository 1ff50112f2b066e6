import type { CSSProperties, ReactNode } from 'react'
import { Button } from '#client/ui/button.tsx'
import { accentCss } from '#shared/domain/accent.ts'
import type { RegistrationMode } from '#shared/contracts/site.ts'
import { t } from '#shared/domain/message.ts'

function Preview({ children }: { children: ReactNode }) {
  return (
    <figure className="grid content-start gap-2" aria-label="Preview">
      <figcaption className="text-meta text-muted">Preview</figcaption>
      {children}
    </figure>
  )
}

export function SitePreview({
  name,
  description,
  icon,
  accent,
}: {
  name: string
  description: string
  icon: string | null
  accent: number | null
}) {
  const style = (accent === null ? {} : { '--color-accent': accentCss(accent) }) as CSSProperties
  return (
    <Preview>
      {(['light', 'dark'] as const).map((theme) => (
        <div
          key={theme}
          style={{ ...style, colorScheme: theme }}
          className="grid gap-2 rounded-card border border-line bg-bg p-4 text-ink"
        >
          <p className="flex items-center gap-2 font-display text-h3 wrap-anywhere">
            {icon === null ? null : <img src={icon} alt="" className="size-8 rounded-bar object-cover" />}
            {name || 'Medley'}
          </p>
          <p dir="auto" className="text-meta text-muted wrap-anywhere">
            {description || t`Movies, TV shows, books and games, among friends.`}
          </p>
          <p className="text-meta">
            <span className="link">A link</span>
          </p>
        </div>
      ))}
    </Preview>
  )
}

export function SignUpPreview({
  mode,
  message,
  rules,
}: {
  mode: RegistrationMode
  message: string
  rules: readonly { text: string }[]
}) {
  return (
    <Preview>
      <div className="grid gap-3 rounded-card border border-line bg-bg p-4 text-meta">
        {message === '' ? null : (
          <p dir="auto" className="wrap-anywhere">
            {message}
          </p>
        )}
        {mode === 'closed' ? (
          <p className="font-semibold">Nobody can sign up here at the moment.</p>
        ) : (
          <>
            <p>
              {mode === 'invite'
                ? t`Username, email, password, invite code`
                : mode === 'approval'
                  ? t`Username, email, password, why they would like to join`
                  : t`Username, email, password`}
            </p>
            {rules.length === 0 ? null : <p>☐ I accept the rules ({rules.length}).</p>}
            <Button disabled variant="primary" size="sm" className="justify-self-start">
              Create account
            </Button>
          </>
        )}
      </div>
    </Preview>
  )
}
