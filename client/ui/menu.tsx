import { Menu as BaseMenu } from '@base-ui/react/menu'
import { clsx } from 'clsx'
import type { ReactElement, ReactNode } from 'react'

export type MenuItem = {
  label: ReactNode
  icon?: ReactNode
  danger?: boolean | undefined
  disabled?: boolean | undefined
  /** A link instead of an action: `<Link to=… />`. */
  render?: ReactElement | undefined
  onSelect?: (() => void) | undefined
}

/** `trigger` is a button element: `<IconButton label="More"><Ellipsis /></IconButton>`. */
export function Menu({
  label,
  trigger,
  items,
}: {
  label: string
  trigger: ReactElement
  items: readonly MenuItem[]
}) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      {/* Content outside the page's landmarks needs one of its own. */}
      <BaseMenu.Portal role="region" aria-label={label}>
        <BaseMenu.Positioner sideOffset={6} align="end" className="z-50 outline-none">
          <BaseMenu.Popup className="popup min-w-44 p-1.5 outline-none">
            {items.map((item, index) => {
              const props = {
                className: clsx(
                  'flex min-h-11 cursor-pointer items-center gap-3 rounded-item px-3 text-label font-medium outline-none select-none',
                  'data-highlighted:bg-raised data-disabled:opacity-45 [&_svg]:size-4.5',
                  item.danger && 'text-danger',
                ),
                onClick: item.onSelect,
                children: (
                  <>
                    {item.icon}
                    {item.label}
                  </>
                ),
              }
              return item.render === undefined ? (
                <BaseMenu.Item key={index} disabled={item.disabled} {...props} />
              ) : (
                <BaseMenu.LinkItem key={index} render={item.render} closeOnClick {...props} />
              )
            })}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}
