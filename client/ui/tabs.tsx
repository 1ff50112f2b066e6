import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export type TabItem<Value extends string> = {
  value: Value
  label: ReactNode
  /** Small, after the label. */
  count?: number | undefined
}

/** `children` is the panel of the tab that is open. A row that is too long scrolls. */
export function Tabs<Value extends string>({
  value,
  onChange,
  items,
  label,
  aside,
  className,
  panelClassName,
  children,
}: {
  value: Value
  onChange: (value: Value) => void
  items: readonly TabItem<Value>[]
  /** What the tabs choose between, for those who listen. */
  label: string
  /** Right of the tabs. */
  aside?: ReactNode
  className?: string | undefined
  panelClassName?: string | undefined
  children: ReactNode
}) {
  return (
    <BaseTabs.Root value={value} onValueChange={onChange} className={className}>
      <div className="flex flex-wrap-reverse items-center justify-between gap-x-6 border-b border-line">
        <BaseTabs.List
          aria-label={label}
          className="no-scrollbar relative -mb-px flex max-w-full gap-5 overflow-x-auto sm:gap-6"
        >
          {items.map((item) => (
            <BaseTabs.Tab
              key={item.value}
              value={item.value}
              className={clsx(
                'flex h-12 shrink-0 items-center gap-1.5 rounded-item px-0.5 text-label text-muted transition-colors',
                'hover:text-ink focus-visible:-outline-offset-2 data-active:text-ink',
              )}
            >
              {item.label}
              {item.count === undefined ? null : (
                <span className="text-meta font-medium text-muted tabular-nums">{item.count}</span>
              )}
            </BaseTabs.Tab>
          ))}
          <BaseTabs.Indicator className="tab-line absolute bottom-0 left-0 h-[3px] w-(--active-tab-width) translate-x-(--active-tab-left) rounded-t-full bg-accent transition-[translate,width] duration-300" />
        </BaseTabs.List>
        {aside}
      </div>
      <BaseTabs.Panel value={value} className={clsx('pt-6', panelClassName)}>
        {children}
      </BaseTabs.Panel>
    </BaseTabs.Root>
  )
}
