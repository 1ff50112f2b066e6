import ical, { foldLines, ICalEventTransparency } from 'ical-generator'
import type { CalendarEntry } from '#shared/contracts/progress.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { truncate } from '#shared/texts/truncate.ts'
import { pause } from '#server/db/slices.ts'
import { partName } from '#server/text/part-name.ts'
import type { Translator } from '#server/text/translator.ts'

const refreshSeconds = 6 * 60 * 60
/** More than apps show. */
const namesMax = 120
const end = 'END:VCALENDAR'

type Site = { name: string; origin: string }

/** Returns the file of RFC 5545. It is the same until the entries or the day change, since apps ask often whether it has. */
export async function calendarFile(
  entries: readonly CalendarEntry[],
  { name, origin }: Site,
  texts: Translator,
  now: Date,
): Promise<string> {
  const calendar = ical({
    name: plain(name),
    prodId: { company: 'Medley', product: 'Calendar', language: texts.language.toUpperCase() },
    ttl: refreshSeconds,
  })
  // The library folds lines of all events at once, which takes too long for thousands of long names.
  const [beginning] = calendar.toString().split(end)
  const events: string[] = []
  const stamp = new Date(`${now.toISOString().slice(0, 10)}T00:00:00.000Z`)
  for (const entry of entries) {
    const event = calendar.createEvent({
      ...placeOf(entry, new URL(origin)),
      ...timesOf(entry),
      summary: summaryOf(entry, texts),
      stamp,
      transparency: ICalEventTransparency.TRANSPARENT,
    })
    events.push(foldLines(event.toString()))
    await pause()
  }
  return `${beginning}${events.join('')}${end}\r\n`
}

function placeOf({ title, episode }: CalendarEntry, origin: URL): { id: string; url: string } {
  const path = episode === null ? `/${kinds[title.kind].path}/${title.id}` : `/episodes/${episode.id}`
  const id = episode === null ? `title-${title.id}` : `episode-${episode.id}`
  return { id: `${id}@${origin.hostname}`, url: new URL(path, origin).href }
}

/** Without an exact time, all day: days have no time zone in such a file, and times are in UTC. */
function timesOf({ date, airsAt, episode }: CalendarEntry) {
  if (airsAt === null) return { start: new Date(`${date}T00:00:00.000Z`), allDay: true }
  const start = new Date(airsAt)
  const minutes = episode?.runtime
  return minutes ? { start, end: new Date(start.getTime() + minutes * 60_000) } : { start }
}

function summaryOf({ title, episode }: CalendarEntry, texts: Translator): string {
  const name = plain(title.name)
  return episode === null ? name : `${name} ${partName({ ...episode, name: plain(episode.name) }, texts)}`
}

/** One line. Apps show the directions of names, and each name has its own. */
function plain(text: string): string {
  const line = truncate(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), namesMax)
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(line) ? `\u2068${line}\u2069` : line
}
