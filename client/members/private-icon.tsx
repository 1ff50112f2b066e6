import { Lock } from 'lucide-react'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'

export function PrivateIcon() {
  return (
    <span
      title="Private"
      className="ms-1.5 inline-flex align-middle text-muted [&_svg]:size-[min(0.8em,1.25rem)]"
    >
      <Lock aria-hidden />
      <VisuallyHidden>Private</VisuallyHidden>
    </span>
  )
}
