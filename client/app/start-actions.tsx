import { Link } from '@tanstack/react-router'
import { ButtonLink } from '#client/ui/button.tsx'

export function StartActions() {
  return (
    <>
      <ButtonLink variant="primary" render={<Link to="/search" />}>
        Find something
      </ButtonLink>
      <ButtonLink render={<Link to="/imports" />}>Import your history</ButtonLink>
    </>
  )
}
