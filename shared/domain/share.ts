/** In pixels: for link previews, for posts, and for stories of a phone. */
export const shareShapes = {
  wide: { width: 1200, height: 630 },
  square: { width: 1080, height: 1080 },
  tall: { width: 1080, height: 1920 },
} as const
export type ShareShape = keyof typeof shareShapes
export const shareShapeNames = Object.keys(shareShapes) as ShareShape[]

export type Shared =
  | { subject: 'reviews'; id: number }
  | { subject: 'lists'; id: number; key?: string | undefined }
  | { subject: 'users'; id: number }
  | { subject: 'years'; id: number; year: number }

/** `version` changes with the picture, so that nobody sees a stored older one. */
export function sharePath(shared: Shared, shape: ShareShape, version?: string): string {
  const query = new URLSearchParams({
    shape,
    ...(shared.subject === 'lists' && shared.key !== undefined && { key: shared.key }),
    ...(version !== undefined && { v: String(Date.parse(version)) }),
  }).toString()
  const about =
    shared.subject === 'years' ? `/users/${shared.id}/year/${shared.year}` : `/${shared.subject}/${shared.id}`
  return `${about}/share.jpg?${query}`
}
