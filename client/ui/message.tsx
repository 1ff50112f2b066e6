import { cloneElement, createElement, Fragment, type ReactElement, type ReactNode } from 'react'
import type { Choose, Part } from '#shared/domain/message.ts'

/** As `text` of shared/domain/message.ts, with values and elements that React renders. */
export function rich(
  message: string,
  values: ReactNode[],
  elements?: ReactElement[],
  choose?: Choose,
): ReactNode {
  return createElement(Fragment, null, ...nodes(message as unknown as Part[], values, elements, choose))
}

function nodes(parts: Part[], values: unknown[], elements?: ReactElement[], choose?: Choose): ReactNode[] {
  return parts.flatMap((part): ReactNode => {
    if (typeof part === 'number') return [values[part] as ReactNode]
    if (Array.isArray(part))
      return cloneElement(
        elements![part[0] as number]!,
        undefined,
        ...nodes(part.slice(1), values, elements, choose),
      )
    if (typeof part === 'string' || part === null) return part
    return nodes(choose!(part, values[part.v] as number), values, elements, choose)
  })
}
