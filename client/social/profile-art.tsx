import { Picture } from '#client/ui/picture.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { allKinds, type KindDefinition } from '#shared/media.ts'
import { useFavorites } from './hooks.ts'

/** The background of a profile: blurred posters of the favorites. */
export function ProfileArt({ userId }: { userId: number }) {
  return (
    <div aria-hidden className="absolute inset-x-0 top-0 flex h-64 overflow-hidden sm:h-80">
      {allKinds.map((definition) => (
        <Shade key={definition.kind} definition={definition} userId={userId} />
      ))}
      <div className="absolute inset-0 bg-linear-to-b from-bg/40 to-bg" />
    </div>
  )
}

function Shade({ definition, userId }: { definition: KindDefinition; userId: number }) {
  const image = useFavorites(definition, userId).data?.find(({ imageUrl }) => imageUrl !== null)?.imageUrl
  return (
    <div data-kind={definition.kind} className="h-full grow basis-0 scale-125 blur-3xl">
      <Picture
        src={image}
        srcSet={imageSrcSet(image)}
        sizes="5rem"
        eager
        fallback={<div className="size-full bg-accent/20" />}
      />
    </div>
  )
}
