import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ButtonLink } from '#client/ui/button.tsx'
import { AccountPage } from './account-page.tsx'
import { useProviders } from '#client/app/providers.ts'

/** Shows a screen about passwords, or says that the site has none. */
export function WithPasswords({ children }: { children: ReactNode }) {
  if (useProviders().passwordLogin) return children
  return (
    <AccountPage
      title="No password needed."
      lead="Members of this site log in with an account that they have elsewhere."
    >
      <ButtonLink variant="primary" size="lg" className="w-full" render={<Link to="/login" />}>
        Continue to login
      </ButtonLink>
    </AccountPage>
  )
}
