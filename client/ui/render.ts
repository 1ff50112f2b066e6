import { clsx } from 'clsx'
import { cloneElement, type ReactElement } from 'react'

type Props = { className?: string | undefined }

/** The element’s own props win; class names are concatenated. */
export function renderAs<P extends Props>(element: ReactElement, props: P): ReactElement {
  const own = element.props as Props
  return cloneElement(element as ReactElement<Props>, {
    ...props,
    ...own,
    className: clsx(props.className, own.className),
  })
}
