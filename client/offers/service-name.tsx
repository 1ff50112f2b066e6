import { Tv } from 'lucide-react'
import { Picture } from '#client/ui/picture.tsx'

/** With its picture. */
export function ServiceName({ name, imageUrl }: { name: string; imageUrl: string | null }) {
  return (
    <>
      <span className="block size-9 shrink-0 overflow-hidden rounded-item">
        <Picture
          src={imageUrl}
          sizes="2.25rem"
          fallback={
            <span className="grid size-full place-items-center bg-raised text-muted">
              <Tv aria-hidden className="size-4.5" />
            </span>
          }
        />
      </span>
      <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
    </>
  )
}
