import type { ReactNode } from 'react'

export function AccountPage({
  title,
  lead,
  aside,
  children,
}: {
  title: string
  lead?: ReactNode
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="page grid grow content-start items-start gap-x-16 gap-y-8 py-10 sm:py-16 lg:grid-cols-[minmax(0,30rem)_minmax(0,28rem)] lg:justify-center lg:grid-rows-[auto_1fr] lg:py-24">
      <header>
        <h1 className="text-h1">{title}</h1>
        {lead === undefined ? null : <p className="mt-4 max-w-[28em] text-lead text-muted">{lead}</p>}
      </header>
      <div className="card w-full max-w-112 lg:row-span-2">{children}</div>
      {aside}
    </div>
  )
}
