import { useId, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { t } from '#shared/domain/message.ts'
import { type Listing, newestFirst } from './listing.ts'
import { ShareYourTake } from './take-section.tsx'
import type { NamedTitle } from './title.ts'
import { UserReviews } from './user-reviews.tsx'

/** In a row of the list of seasons, since a season has no page of its own. What members write takes lines of its own once it is wanted. */
export function SeasonReviews({ season }: { season: NamedTitle }) {
  const [isOpen, setOpen] = useState(false)
  const [listing, setListing] = useState<Listing>(newestFirst)
  const panelId = useId()
  const { name } = season
  return (
    <>
      <Button
        variant="ghost"
        aria-label={t`Reviews of ${name}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        Reviews
      </Button>
      {isOpen ? (
        <div id={panelId} className="order-last grid basis-full grid-cols-1 gap-8 py-4 pe-3">
          <ShareYourTake title={season} heading={t`Your review of ${name}`} />
          <UserReviews
            title={season}
            heading={t`Reviews of ${name}`}
            listing={listing}
            onListing={(change) => setListing({ ...listing, ...change })}
          />
        </div>
      ) : null}
    </>
  )
}
