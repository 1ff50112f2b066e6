import { Picture } from '#client/ui/picture.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { allKinds, type KindFacts } from '#shared/media.ts'
import { useFavorites } from './hooks.ts'

/** The background of a profile: blurred posters of the favorites. */
export function ProfileArt({ userId }: { userId: number }) {
  return (
    <div aria-hidden className="absolute inset-x-0 top-0 flex h-64 overflow-hidden sm:h-80">
      {allKinds.map((facts) => (
        <Shade key={facts.kind} facts={facts} userId={userId} />
      ))}
      <div className="absolute inset-0 bg-linear-to-b from-bg/40 to-bg" />
    </div>
  )
}

function Shade({ facts, userId }: { facts: KindFacts; userId: number }) {
  const image = useFavorites(facts, userId).data?.find((favorite) => favorite.image !== null)?.image
  return (
    <div data-kind={facts.kind} className="h-full grow basis-0 scale-125 blur-3xl">
      <Picture
        src={image}
        srcSet={imageSrcSet(image)}
        sizes="5rem"
        fallback={<div className="size-full bg-accent/20" />}
      />
    </div>
  )
}
