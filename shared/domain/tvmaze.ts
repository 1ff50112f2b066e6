/** A source of episodes only. Its license requires the name and the link where they are shown. */
export const tvmaze = {
  name: 'TVmaze',
  href: 'https://www.tvmaze.com/',
  license: { name: 'CC BY-SA 4.0', href: 'https://creativecommons.org/licenses/by-sa/4.0/' },
} as const
