import { glob, readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { openDatabase } from '#server/db/open.ts'

const known = new Set<string>()
let starter: Promise<void> | undefined

/** Also names in data that a test makes up. */
export function rememberNames(data: unknown): void {
  for (const name of stringsIn(data)) if (/[A-Za-z]{2}/.test(name)) known.add(name)
}

/** What members and sources have named since the file began, the longest first. */
export async function namesOfData(dataDir: string): Promise<string[]> {
  const db = openDatabase({ databaseUrl: undefined, dataDir })
  const [users, lists, titles, parts, imports, ofImports, listsOfImports] = await Promise.all([
    db.selectFrom('users').select('username').execute(),
    db.selectFrom('lists').select(['title', 'tags']).execute(),
    db.selectFrom('media').select(['name', 'details']).execute(),
    db.selectFrom('parts').select('name').execute(),
    db.selectFrom('imports').select(['file_name', 'facts']).execute(),
    db.selectFrom('import_titles').select('name').execute(),
    db.selectFrom('import_lists').select('name').execute(),
  ]).finally(() => db.destroy())
  starter ??= namesOfStarter().then(rememberNames)
  await starter
  rememberNames([
    users,
    parts,
    listsOfImports,
    ofImports,
    titles.map(({ name }) => name),
    lists.map(({ title }) => title),
  ])
  rememberNames(titles.map(({ details }) => JSON.parse(details) as unknown))
  rememberNames(lists.map(({ tags }) => JSON.parse(tags) as unknown))
  for (const { file_name, facts } of imports)
    rememberNames([file_name, (JSON.parse(facts) as { columns: unknown }).columns])
  return [...known].toSorted((one, other) => other.length - one.length)
}

async function namesOfStarter(): Promise<unknown[]> {
  const files = await Array.fromAsync(glob('server/starter/*.json'))
  const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return contents.map((content) => JSON.parse(content) as unknown)
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  // Their names are translated.
  return Object.entries(value).flatMap(([key, one]) => (key === 'genres' ? [] : stringsIn(one)))
}

/** Products, settings, addresses, paths, files, initials and abbreviations, and words that `Intl` has in no language but English: in dates, durations and lists. */
const notTranslated =
  /\b[A-Z]+(_[A-Z]+)+\b|Medley|TMDB|IGDB|IMDb|Open Library|Goodreads|StoryGraph|Letterboxd|LibraryThing|Calibre|Trakt|Simkl|Yamtrack|MyAnimeList|Serializd|Backloggd|NeoDB|TV Time|TVmaze|Safari|Chrome|Linux|https?:\S+|\B\/\w\S*|\S+@\S+\.[a-z]+|[\w-]+\.(csv|zip|json)|\b([A-Z]{2,4}|and|or|ago|in|UTC|[AP]M|(minute|hour|day|week|month|year)s?|(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*|(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*)\b/g

/**
 * Returns the texts and names of elements with letters that have no accents. Texts of members, names and what is in English in all
 * languages have a direction or language of their own, or are in an element for it.
 */
export function textsOf(page: Page): Promise<string[]> {
  // Not of the page itself, which pseudo-reader.ts may have translated back.
  return page.mainFrame().evaluate(() => {
    const own =
      'bdi, time, code, kbd, script, style, textarea, [aria-hidden=true], [dir=auto], [translate=no], [lang]:not(html), [id=languages]'
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement: parent, textContent } = walker.currentNode
      const isText = parent !== null && parent.checkVisibility() && parent.closest(own) === null
      if (isText) found.push(textContent!)
    }
    const attributes = ['aria-label', 'aria-description', 'aria-valuetext', 'placeholder', 'title', 'alt']
    for (const element of document.querySelectorAll(attributes.map((name) => `[${name}]`).join()))
      if (element.closest(own) === null)
        for (const name of attributes) found.push(element.getAttribute(name) ?? '')
    return found.filter((text) => /[A-Za-z]{2}/.test(text))
  })
}

/** Returns the texts that come from no catalogue, nor from these names. */
export function untranslated(texts: readonly string[], names: readonly string[]): string[] {
  const withoutNames = (text: string) =>
    names.reduce((rest, name) => (rest.includes(name) ? rest.replaceAll(name, '') : rest), text)
  const withoutOthers = (text: string) =>
    text.replaceAll(/\u2068[^\u2069]*\u2069|“[^”]*”/g, '').replaceAll(notTranslated, '')
  // A name may contain a word that is not translated, and the other way round.
  return texts.filter((text) =>
    [withoutOthers(withoutNames(text)), withoutNames(withoutOthers(text))].every((rest) =>
      /[A-Za-z]{2}/.test(rest),
    ),
  )
}
