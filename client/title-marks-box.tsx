import { Ellipsis } from 'lucide-react'
import { useId } from 'react'
import { PosterMarks } from '#client/ui/poster-marks.tsx'
import { kinds } from '#shared/media.ts'
import { useMyRating, useMyStatus } from './my-titles.ts'
import { setTitleMenu, type TitleMenu, useTitleMenu } from './title-menu.ts'

/** Without `hasStars`, only the button is shown: the list already shows the stars. */
export type MarkedTitle = TitleMenu['title'] & { hasStars?: boolean | undefined }

/** Use `TitleMarks`, which lazy-loads this. */
export function TitleMarksBox({ kind, id, name, hasStars = true }: MarkedTitle) {
  const title = { kind, id, name }
  const rating = useMyRating(id)
  const status = useMyStatus(id)
  const key = useId()
  const isOpen = useTitleMenu()?.key === key
  return (
    <PosterMarks
      rating={hasStars ? (rating ?? null) : null}
      status={status ? kinds[kind].words.diary[status] : null}
    >
      <button
        type="button"
        aria-label={`Actions for ${name}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        // 44 pixels wide, with a smaller circle. With a mouse it is visible while the card is hovered or has the focus.
        className="card-menu pointer-events-auto absolute top-0 right-0 grid size-11 place-items-center"
        onClick={({ currentTarget }) =>
          setTitleMenu({ key, anchor: currentTarget, title, hasFavorite: true })
        }
      >
        <span className="grid size-8 place-items-center rounded-full bg-scrim text-on-scrim">
          <Ellipsis aria-hidden className="size-4.5" />
        </span>
      </button>
    </PosterMarks>
  )
}
