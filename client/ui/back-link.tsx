import { ArrowLeft } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { ButtonLink } from './button.tsx'

export function BackLink({ render, children }: { render: ReactElement; children: ReactNode }) {
  return (
    <ButtonLink variant="ghost" className="-ms-5" icon={<ArrowLeft aria-hidden />} render={render}>
      {children}
    </ButtonLink>
  )
}
