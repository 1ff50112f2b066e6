/** `12:3`, or a dash if there are none. */
export function ratioText(likeCount: number, dislikeCount: number): string {
  return likeCount === 0 && dislikeCount === 0 ? '–' : `${likeCount}:${dislikeCount}`
}
