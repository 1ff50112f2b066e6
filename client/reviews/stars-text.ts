/** “1 star”, “4 stars”. */
export function starsText(stars: number): string {
  return stars === 1 ? '1 star' : `${stars} stars`
}
