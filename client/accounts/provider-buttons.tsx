import { ExternalLink } from 'lucide-react'
import { ButtonLink } from '#client/ui/button.tsx'
import type { Provider } from '#client/app/providers.ts'

/** Links, because each leaves the site. `redirect` is the page after the login. */
export function ProviderButtons({
  providers,
  redirect,
}: {
  providers: readonly Provider[]
  redirect: string | undefined
}) {
  const query = redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`
  return providers.map(({ name, label, url }) => (
    <ButtonLink
      key={name}
      size="lg"
      variant="outline"
      icon={<ExternalLink aria-hidden />}
      href={url + query}
      className="wrap-anywhere"
    >
      Continue with {label}
    </ButtonLink>
  ))
}
