import { Toast } from '@base-ui/react/toast'
import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, type LucideIcon, X } from 'lucide-react'
import { useEffect } from 'react'
import { buttonClass } from './button.tsx'
import { connectToasts } from './toasts.ts'

const manager = Toast.createToastManager()
const icons: Record<string, [LucideIcon, string]> = {
  info: [Info, 'text-muted'],
  success: [CircleCheck, 'text-ok'],
  error: [CircleAlert, 'text-danger'],
}

/** Use `Toaster`, which lazy-loads this. */
export function ToastViewport() {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-[max(1rem,env(safe-area-inset-bottom))] member:max-sm:bottom-[calc(4.25rem+env(safe-area-inset-bottom))] z-60 mx-auto max-w-96 sm:right-6 sm:bottom-6 sm:left-auto sm:w-96">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  // Here and not in the parent: effects of children run first, and the provider must be listening.
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
        swipeDirection={['right', 'down']}
        className="toast rounded-popup border border-line bg-surface shadow-float select-none"
      >
        <Toast.Content className="flex items-center gap-3 overflow-hidden py-2.5 pr-2 pl-4 transition-opacity duration-200 data-behind:opacity-0 data-expanded:opacity-100">
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
