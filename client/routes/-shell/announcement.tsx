import { X } from 'lucide-react'
import { useState } from 'react'
import { useSite } from '#client/app/site.ts'
import { IconButton } from '#client/ui/button.tsx'
import { useStored, writeStored } from '#client/ui/stored.ts'

/** A script of the page reads it too, to hide a closed one before the first paint. */
const storageKey = 'closed announcement'

/** Once closed, it stays closed in this browser until there is another one. */
export function Announcement() {
  const { announcement } = useSite()
  const [isClosed, setClosed] = useState(false)
  const closed = useStored(storageKey)
  if (announcement === null || isClosed || closed === announcement.text) return null
  function close() {
    setClosed(true)
    writeStored(storageKey, announcement!.text)
  }
  return (
    <aside
      aria-label="Announcement"
      className="announcement border-b border-line bg-raised text-meta font-medium"
    >
      <div className="page flex min-h-10 items-center justify-between gap-3">
        <p dir="auto" className="py-2 wrap-anywhere">
          {announcement.text}
        </p>
        <IconButton label="Close the announcement" size="sm" onClick={close}>
          <X aria-hidden />
        </IconButton>
      </div>
    </aside>
  )
}
