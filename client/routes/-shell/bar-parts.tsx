import { clsx } from 'clsx'
import { Menu, X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { ButtonLink, IconButton } from '#client/ui/button.tsx'

/** A link of the top bar, or of the menu below it. */
export function BarLink({ className, ...props }: ComponentProps<typeof ButtonLink>) {
  return (
    <ButtonLink
      variant="ghost"
      {...props}
      className={clsx(
        'picked max-lg:h-12 max-lg:justify-start max-lg:px-3 lg:px-3.5 [&[aria-current=page]]:text-ink lg:[&[aria-current=page]]:bg-raised',
        className,
      )}
    />
  )
}

/** Opens and closes the menu. */
export function MenuButton({
  isOpen,
  setOpen,
  className,
}: {
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  className?: string
}) {
  return (
    <IconButton
      label="Menu"
      aria-expanded={isOpen}
      aria-controls="menu"
      onClick={() => setOpen(!isOpen)}
      className={className}
    >
      {isOpen ? <X aria-hidden /> : <Menu aria-hidden />}
    </IconButton>
  )
}
