import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { buttonClass, type ButtonSize } from './button.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

/**
 * `gold` is for favorites, `accent` for reactions. `label` is needed if `children` is only a number. Neither may change with the state,
 * because screen readers announce `aria-pressed`.
 */
export function ToggleButton({
  pressed,
  onChange,
  tone = 'accent',
  size,
  busy,
  label,
  icon,
  className,
  children,
  ...props
}: Omit<ComponentProps<'button'>, 'onChange' | 'onClick'> & {
  pressed: boolean
  onChange: (pressed: boolean) => void
  tone?: 'gold' | 'accent' | undefined
  size?: ButtonSize | undefined
  busy?: boolean | undefined
  label?: string | undefined
  icon?: ReactNode
}) {
  return (
    <button
      type="button"
      {...props}
      aria-pressed={pressed}
      aria-disabled={busy || props['aria-disabled']}
      onClick={() => {
        if (!busy) onChange(!pressed)
      }}
      className={clsx(
        buttonClass(tone === 'gold' ? 'soft' : 'ghost', size),
        'picked tabular-nums [&_svg]:transition-[fill,scale] [&_svg]:duration-200 active:[&_svg]:scale-80',
        pressed && '[&_svg]:fill-current',
        pressed &&
          (tone === 'gold' ? 'bg-star! text-on-star! hover:bg-star/90!' : 'bg-accent/12! text-accent!'),
        className,
      )}
    >
      {icon}
      {label === undefined ? null : <VisuallyHidden>{label} </VisuallyHidden>}
      {children}
    </button>
  )
}
