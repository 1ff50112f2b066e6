import { EyeOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import type { SafeUpToProps } from './safe-up-to-field.tsx'

const {
  Component: SafeUpToField,
  load,
  opens,
} = lazyComponent(async () => (await import('./safe-up-to-field.tsx')).SafeUpToField)

/** From whom a text is hidden: a button, until the author wants to say so. */
export function SafeUpTo(props: SafeUpToProps) {
  const [wantsOpen, setOpen] = useState(false)
  const isOpen = wantsOpen || props.value !== null
  useEffect(() => {
    if (isOpen) load()
  }, [isOpen])
  if (isOpen) return <SafeUpToField {...props} hasFocus={wantsOpen} onClose={() => setOpen(false)} />
  return (
    <Button
      size="sm"
      variant="ghost"
      icon={<EyeOff aria-hidden />}
      disabled={props.disabled}
      className="justify-self-start"
      {...opens(() => setOpen(true))}
    >
      Hide from those who are not as far
    </Button>
  )
}
