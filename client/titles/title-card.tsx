import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { Poster, PosterCard } from '#client/ui/poster-card.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import { type CardTitle, titlePath } from '#client/app/kinds.ts'

type Look<Props> = Omit<Props, 'title' | 'kind' | 'image'> & { sizes: string }

export const gridSizes = '(min-width: 640px) 11rem, 41vw'
export const rowSizes = '(min-width: 64rem) 172px, 9.5rem'

export function TitlePoster({
  title: { kind, name, imageUrl },
  sizes,
  ...look
}: Look<ComponentProps<typeof Poster>> & { title: Pick<CardTitle, 'kind' | 'name' | 'imageUrl'> }) {
  return <Poster title={name} kind={kind} image={{ src: imageUrl, sizes }} {...look} />
}

export function TitleCard({
  title: { id, kind, name, imageUrl },
  sizes,
  ...look
}: Look<ComponentProps<typeof PosterCard>> & { title: Omit<CardTitle, 'releaseYear'> }) {
  return (
    <PosterCard
      title={name}
      kind={kind}
      image={{ src: imageUrl, sizes }}
      render={<Link to={titlePath(kinds[kind], id)} />}
      {...look}
    />
  )
}
