import { Toast } from '@base-ui/react/toast'
import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, type LucideIcon, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { buttonClass } from './button.tsx'
import { isRightToLeft } from './direction.ts'
import { connectToasts } from './toasts.ts'

const manager = Toast.createToastManager()
const icons: Record<string, [LucideIcon, string]> = {
  info: [Info, 'text-muted'],
  success: [CircleCheck, 'text-ok'],
  error: [CircleAlert, 'text-danger'],
}

/** Use `Toaster`, which lazy-loads this. */
export function ToastViewport() {
  const viewport = useRef<HTMLDivElement>(null)
  const [isAtTop, setAtTop] = useState(false)
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport
          aria-label="Notifications"
          ref={viewport}
          data-place={isAtTop ? 'top' : 'bottom'}
          className={clsx(
            'fixed inset-x-4 z-60 mx-auto max-w-96 sm:inset-e-6 sm:inset-s-auto sm:w-96',
            isAtTop
              ? 'top-20'
              : 'bottom-[max(1rem,env(safe-area-inset-bottom))] sm:bottom-6 member:max-sm:bottom-[calc(4.25rem+env(safe-area-inset-bottom))]',
          )}
        >
          <ToastList viewport={viewport} onPlace={setAtTop} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

/** In pixels, with the bar on phones and the edges of the toasts behind the first. */
const marginPx = 96

/** True while the toasts would cover the focused element. */
function usePlace(
  count: number,
  viewport: RefObject<HTMLElement | null>,
  onPlace: (isAtTop: boolean) => void,
) {
  useEffect(() => {
    if (count === 0) return
    function place() {
      const focused = document.activeElement
      if (!viewport.current || focused === null || viewport.current.contains(focused)) return
      // Regions and headings, which only a script focuses, are pressed by nobody.
      if (focused === document.body || focused.matches('[tabindex="-1"], .bottom-bar *'))
        return onPlace(false)
      const { left, right } = viewport.current.getBoundingClientRect()
      const heights = [...viewport.current.children].map((toast) => (toast as HTMLElement).offsetHeight)
      const box = focused.getBoundingClientRect()
      const isCovered = box.bottom > innerHeight - Math.max(...heights) - marginPx && box.top < innerHeight
      onPlace(isCovered && box.right > left && box.left < right)
    }
    place()
    const events = ['focusin', 'scroll', 'resize'] as const
    for (const event of events) window.addEventListener(event, place, { passive: true })
    return () => {
      for (const event of events) window.removeEventListener(event, place)
    }
  }, [count, viewport, onPlace])
}

function ToastList({
  viewport,
  onPlace,
}: {
  viewport: RefObject<HTMLElement | null>
  onPlace: (isAtTop: boolean) => void
}) {
  const { toasts } = Toast.useToastManager()
  usePlace(toasts.length, viewport, onPlace)
  // Effects of children run first, and the provider must be listening.
  useEffect(
    () =>
      connectToasts(({ title, description, tone = 'info', action, timeoutMs, onClose, signal }) => {
        if (signal?.aborted) return
        const id = manager.add({
          title,
          description,
          type: tone,
          onClose,
          // Never 'high': such a toast hides its own buttons from assistive technology.
          priority: 'low',
          timeout: timeoutMs ?? (action === undefined && tone !== 'error' ? 5000 : 9000),
          ...(action && {
            actionProps: {
              children: action.label,
              onClick: () => {
                action.onAction()
                manager.close(id)
              },
            },
          }),
        })
        signal?.addEventListener('abort', () => manager.close(id))
      }),
    [],
  )
  return toasts.map((toast) => {
    const [Icon, colour] = icons[toast.type ?? 'info'] ?? [Info, 'text-muted']
    return (
      <Toast.Root
        key={toast.id}
        toast={toast}
        swipeDirection={[isRightToLeft() ? 'left' : 'right', 'down']}
        className="toast rounded-popup border border-line bg-surface shadow-float select-none"
      >
        <Toast.Content className="flex items-center gap-3 overflow-hidden py-2.5 pe-2 ps-4 transition-opacity duration-200 data-behind:opacity-0 data-expanded:opacity-100">
          <Icon aria-hidden className={clsx('size-5 shrink-0', colour)} />
          <div className="min-w-0 grow py-1">
            <Toast.Title className="font-sans text-label" render={<p />} />
            <Toast.Description className="text-meta text-muted" />
          </div>
          {toast.actionProps === undefined ? null : <Toast.Action className={buttonClass('soft', 'sm')} />}
          <Toast.Close aria-label="Dismiss" className={buttonClass('ghost', 'md', true)}>
            <X aria-hidden />
          </Toast.Close>
        </Toast.Content>
      </Toast.Root>
    )
  })
}
