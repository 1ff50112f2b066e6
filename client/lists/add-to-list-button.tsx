import { ListPlus } from 'lucide-react'
import { requestTitleAction } from '#client/titles/title-actions.ts'
import type { NamedTitle } from '#client/app/kinds.ts'
import { Button, type ButtonSize } from '#client/ui/button.tsx'

/** Only an icon on phones, so that the buttons beside it do not wrap. */
export function AddToListButton({
  title,
  size,
  onOpen,
}: {
  title: NamedTitle
  size?: ButtonSize | undefined
  onOpen?: (() => void) | undefined
}) {
  return (
    <Button
      size={size}
      icon={<ListPlus aria-hidden />}
      aria-haspopup="dialog"
      onClick={() => {
        onOpen?.()
        requestTitleAction({ title, action: 'list' })
      }}
    >
      <span className="max-sm:sr-only">Add to list…</span>
    </Button>
  )
}
