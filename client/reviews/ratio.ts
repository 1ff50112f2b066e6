export function ratioText(likeCount: number, dislikeCount: number): string {
  return likeCount === 0 && dislikeCount === 0 ? '–' : `${likeCount}:${dislikeCount}`
}
