import { clsx } from 'clsx'
import { type ComponentProps, createElement, type MouseEvent, type ReactElement, type ReactNode } from 'react'
import { renderAs } from './render.ts'

export type ButtonVariant = 'primary' | 'soft' | 'outline' | 'ghost' | 'danger'
/** `sm` (36 px) is for chips in rows only; `md` is 44 px. */
export type ButtonSize = 'sm' | 'md' | 'lg'

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-ink text-bg hover:bg-ink/85',
  soft: 'border-transparent bg-raised text-ink hover:bg-[color-mix(in_oklab,var(--color-raised),var(--color-ink)_9%)]',
  outline: 'border-edge bg-surface text-ink hover:bg-raised',
  ghost: 'border-transparent text-muted hover:bg-raised hover:text-ink',
  danger: 'border-transparent bg-danger text-bg hover:bg-danger/85',
}
const sizes: Record<ButtonSize, string> = {
  sm: 'min-h-9 gap-1.5 px-3.5 text-meta font-semibold',
  md: 'min-h-11 gap-2 px-5 text-label',
  lg: 'min-h-13 gap-2.5 px-7 text-body font-semibold',
}
const squares: Record<ButtonSize, string> = { sm: 'size-9', md: 'size-11', lg: 'size-13' }

/** For other elements, such as the label of a file input. */
export function buttonClass(variant: ButtonVariant = 'soft', size: ButtonSize = 'md', square = false) {
  return clsx(
    'inline-flex shrink-0 items-center justify-center rounded-full border text-center select-none',
    // With very large text or a long name, the label wraps: styles.css.
    !square && 'max-w-full',
    'transition-[background-color,color,border-color,scale,opacity] active:scale-[0.97]',
    'disabled:opacity-45 disabled:active:scale-100 aria-disabled:active:scale-100',
    '[&_svg]:size-[1.2em] [&_svg]:shrink-0',
    square ? [squares[size], size === 'sm' ? 'text-meta' : 'text-body'] : sizes[size],
    variants[variant],
  )
}

type Looks = { variant?: ButtonVariant | undefined; size?: ButtonSize | undefined }
type Busy = {
  /** Swallows clicks and keeps focus, unlike `disabled`. */
  busy?: boolean | undefined
}

function swallow(event: MouseEvent) {
  event.preventDefault()
  event.stopPropagation()
}

/** Label and `busyLabel` both reserve their width, so nothing jumps. */
export function Button({
  variant,
  size,
  busy,
  busyLabel,
  icon,
  className,
  children,
  onClick,
  ...props
}: ComponentProps<'button'> & Looks & Busy & { busyLabel?: string | undefined; icon?: ReactNode }) {
  return (
    <button
      type="button"
      {...props}
      aria-disabled={busy || props['aria-disabled']}
      onClick={busy ? swallow : onClick}
      className={clsx(buttonClass(variant, size), className)}
    >
      {icon}
      {busyLabel === undefined ? (
        children
      ) : (
        <span
          className={clsx('grid *:[grid-area:1/1]', icon ? 'justify-items-start' : 'justify-items-center')}
        >
          <span className={clsx('inline-flex items-center gap-2', busy && 'invisible')}>{children}</span>
          <span className={clsx(!busy && 'invisible')}>{busyLabel}</span>
        </span>
      )}
    </button>
  )
}

export function SubmitButton(props: ComponentProps<typeof Button>) {
  return <Button type="submit" variant="primary" {...props} />
}

export function ButtonLink({
  variant,
  size,
  icon,
  render,
  className,
  children,
  ...props
}: ComponentProps<'a'> & Looks & { render?: ReactElement | undefined; icon?: ReactNode }) {
  return renderAs(render ?? createElement('a'), {
    ...props,
    className: clsx(buttonClass(variant, size), className),
    children: (
      <>
        {icon}
        {children}
      </>
    ),
  })
}

export function IconButton({
  label,
  variant = 'ghost',
  size,
  busy,
  className,
  onClick,
  ...props
}: Omit<ComponentProps<'button'>, 'aria-label'> & Looks & Busy & { label: string }) {
  return (
    <button
      type="button"
      title={label}
      {...props}
      aria-label={label}
      aria-disabled={busy || props['aria-disabled']}
      onClick={busy ? swallow : onClick}
      className={clsx(buttonClass(variant, size, true), className)}
    />
  )
}
