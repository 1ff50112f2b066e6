import { clsx } from 'clsx'
import { Menu } from 'lucide-react'
import type { ComponentProps } from 'react'
import { ButtonLink, IconButton } from '#client/ui/button.tsx'

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

export function MenuButton({ className }: { className?: string }) {
  return (
    <IconButton label="Menu" popoverTarget="menu" className={className}>
      <Menu aria-hidden />
    </IconButton>
  )
}

export const menuClass =
  'fixed inset-auto top-16 m-0 max-h-[calc(100dvh-4.5rem)] overflow-y-auto overscroll-contain border-0 bg-bg p-0 text-ink shadow-float lg:shadow-none'

export function closeMenu(): void {
  document.getElementById('menu')?.hidePopover()
}
