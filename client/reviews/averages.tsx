import { useFormats } from '#client/ui/formats.ts'
import { Pill } from '#client/ui/pill.tsx'
import { StarIcon } from '#client/ui/stars.tsx'
import { formatAverage } from './histogram.ts'
import { useRatings } from './hooks.ts'
import type { ReviewedTitle } from './title.ts'

/** `overall` is from the title's own output, until the ratings load. */
export function Averages({ title, overall }: { title: ReviewedTitle; overall: number | null }) {
  const ratings = useRatings(title)
  const { decimal } = useFormats()
  const everyones = ratings.overall.data ? ratings.overall.data.avg : overall
  return (
    <>
      <Pill label="Overall" icon={<StarIcon className="text-star" />}>
        {formatAverage(everyones, decimal)}
      </Pill>
      <Pill label="Network average" icon={<StarIcon className="text-star" />}>
        {formatAverage(ratings.network.data?.networkAvg, decimal)}
      </Pill>
    </>
  )
}
