import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Button, buttonClass } from './button.tsx'
import { type Forgetters, ForgettersContext, KeptTexts } from './kept-texts.tsx'

const backdropClass =
  'fixed inset-0 min-h-dvh bg-backdrop transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0 supports-[-webkit-touch-callout:none]:absolute'
const viewportClass =
  'fixed inset-0 z-50 grid items-end justify-items-center overflow-y-auto p-3 sm:items-center sm:p-6'
const popupClass = 'popup relative w-full max-w-md rounded-card p-5 sm:p-6'

export type DialogControl = { open: boolean; onOpenChange: (open: boolean) => void }

type DialogProps = {
  open: boolean
  /** `outside-press` if the backdrop was pressed. */
  onOpenChange: (open: boolean, event: { reason: string }) => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
}

/** Texts are kept after Escape, the backdrop and the close button, until the program closes the dialog: see `KeptTexts`. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  className,
  initialFocus,
  about,
  children,
}: DialogProps & {
  className?: string | undefined
  about?: string | undefined
  initialFocus?: RefObject<HTMLElement | null> | undefined
}) {
  const [forgetters] = useState<Forgetters>(() => new Set())
  const wasDismissed = useRef(false)
  useEffect(() => {
    if (open) wasDismissed.current = false
    else if (!wasDismissed.current) for (const forget of forgetters) forget()
  }, [open, forgetters])
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next, event) => {
        wasDismissed.current = !next
        onOpenChange(next, event)
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdropClass} />
        <BaseDialog.Viewport className={viewportClass}>
          <BaseDialog.Popup initialFocus={initialFocus} className={clsx(popupClass, className)}>
            <BaseDialog.Title className="pe-10 text-h3">{title}</BaseDialog.Title>
            {description === undefined ? null : (
              <BaseDialog.Description className="mt-1.5 text-muted">{description}</BaseDialog.Description>
            )}
            <div className="mt-4">
              <ForgettersContext value={forgetters}>
                <KeptTexts name={about} title={title}>
                  {children}
                </KeptTexts>
              </ForgettersContext>
            </div>
            {/* Last, so that the initial focus is in the content. */}
            <BaseDialog.Close
              aria-label="Close"
              className={clsx(buttonClass('ghost', 'md', true), 'absolute top-3 inset-e-3')}
            >
              <X aria-hidden />
            </BaseDialog.Close>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

/** Red if the action cannot be undone. Stays open on confirm: `onConfirm` closes it. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  canUndo = false,
  onConfirm,
}: Omit<DialogProps, 'children'> & {
  confirmLabel: string
  canUndo?: boolean | undefined
  onConfirm: () => void
}) {
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropClass} />
        <AlertDialog.Viewport className={viewportClass}>
          <AlertDialog.Popup className={popupClass}>
            <AlertDialog.Title className="text-h3 wrap-anywhere">{title}</AlertDialog.Title>
            {description === undefined ? null : (
              <AlertDialog.Description className="mt-1.5 text-muted wrap-anywhere">
                {description}
              </AlertDialog.Description>
            )}
            <div className="actions mt-6">
              <AlertDialog.Close className={buttonClass('soft')}>Cancel</AlertDialog.Close>
              <Button variant={canUndo ? 'primary' : 'danger'} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
