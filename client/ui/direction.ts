/** Of the page. A text of a member has its own direction (`dir="auto"`). */
export function isRightToLeft(): boolean {
  return document.documentElement.dir === 'rtl'
}

/** `ArrowForward` and `ArrowBack` for the arrow keys that lead along the line in the direction of reading; any other key as it is. */
export function readingKey({ key }: { key: string }): string {
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return key
  return (key === 'ArrowLeft') === isRightToLeft() ? 'ArrowForward' : 'ArrowBack'
}
