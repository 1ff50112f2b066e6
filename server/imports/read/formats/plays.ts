import { noteOf } from '#shared/texts/import-notes.ts'
import { diaryEntriesMax, partNumberMax, passesMax } from '#shared/domain/limits.ts'
import type { ParsedPart } from './records.ts'
import { listAt, textAt } from './rows.ts'
import { dateOf, dayOf } from './values.ts'

/** An episode that was watched. */
export type ParsedPlay = {
  season: number
  number: number
  /** Null if it is unknown. */
  day: string | null
  /** How often the episode was watched in all, as the file says; the others have no dates. */
  times: number
  /** The day is the one of the last time, not of the first. */
  isLast: boolean
  /** Of a file that says which time it was. */
  pass: number | null
  /** The exact time. */
  at: string | null
  /** Of the episode, as in `tmdb:62085`. */
  episodeId: string | null
  /** Identifies the play at the service. */
  origin: string | null
}

type GivenPlay = { season: string; number: string; day: string | null } & Partial<
  Pick<ParsedPlay, 'times' | 'isLast' | 'pass' | 'at' | 'episodeId' | 'origin'>
>

/** As one text, of which a title can have very many. Empty without a season and a number. */
export function playOf({ day, times = 1, isLast, pass, at, ...play }: GivenPlay): string[] {
  const place = [play.season, play.number].map(numberOf)
  if (place.includes(null)) return []
  const all = `${isLast ? '<' : ''}${Math.min(Math.max(1, Math.trunc(times) || 1), timesMax)}`
  const when = `${pass ? `#${Math.min(pass, passesMax)}` : ''}${at ? `@${at}` : ''}`
  return [
    [
      ...place,
      day === null || day.startsWith(start) ? '' : day,
      all + when,
      play.episodeId ?? '',
      (play.origin ?? '').slice(0, originMax),
    ].join('|'),
  ]
}

export function toPlay(stored: string): ParsedPlay {
  const [season, number, day, all = '1', episodeId, ...origin] = stored.split('|')
  const [, isLast, times, pass, at] = /^(<?)(\d+)(?:#(\d+))?(?:@(.+))?$/.exec(all) ?? []
  return {
    season: Number(season),
    number: Number(number),
    day: day || null,
    times: Number(times ?? 1),
    isLast: isLast === '<',
    pass: pass === undefined ? null : Number(pass),
    at: at ?? null,
    episodeId: episodeId || null,
    origin: origin.join('|') || null,
  }
}

/** Stands for an unknown day. */
const start = '1970-01-01'
/** Each is an entry of the diary. */
const timesMax = diaryEntriesMax
/** The joined record of a title is read as a whole. */
const titlePlaysMax = 25_000
const originMax = 200
/** A line keeps to the maximum of a field. */
const playsPerLine = 400

/** `1` and `1.0`. */
function numberOf(value: string): number | null {
  const digits = /^0{0,9}(\d{1,6})(?:\.0)?$/.exec(value.trim())?.[1]
  return digits !== undefined && Number(digits) <= partNumberMax ? Number(digits) : null
}

/** A season if the number is blank. Undefined without valid numbers. */
export function partOf(season: string, number: string, id = ''): ParsedPart | undefined {
  const [first, second] = [numberOf(season), number === '' ? null : numberOf(number)]
  if (first === null || (number !== '' && second === null)) return undefined
  return { season: first, number: second, id: id || null }
}

/** Of one column, which has a play in each line. The file has the day of the last time. */
export function playsIn(column: string, notes: string[]): string[] {
  if (column === '') return []
  const noticed = new Set<string>()
  const plays = column.split('\n').flatMap((line) => {
    const [season = '', number = '', date = '', times = '', episodeId = ''] = line.split(' ')
    const found: string[] = []
    const day = dayOf(date.startsWith('1970') ? null : dateOf(date, found))
    for (const note of found) noticed.add(note)
    return playOf({
      season,
      number,
      day,
      times: Number(times),
      isLast: true,
      ...(/^(tmdb|tvdb):\d+$/.test(episodeId) && { episodeId }),
    })
  })
  notes.push(...noticed)
  return plays
}

/** Columns for `playsIn`, of an item that has all the episodes of a show. `paths` lead to the time and the number of plays of an episode. */
export function columnsOfPlays(show: unknown, paths: { time: string; times: string }): string[] {
  const lines = listAt(show, 'seasons').flatMap((season) =>
    listAt(season, 'episodes').map((episode) =>
      [
        textAt(season, 'number', 10),
        textAt(episode, 'number', 10),
        textAt(episode, paths.time, 40),
        textAt(episode, paths.times, 10) || '1',
        episodeIdAt(episode),
      ]
        .map((value) => value.replace(/\s/g, '') || '-')
        .join(' '),
    ),
  )
  return Array.from({ length: Math.ceil(lines.length / playsPerLine) }, (_, at) =>
    lines.slice(at * playsPerLine, (at + 1) * playsPerLine).join('\n'),
  )
}

/** The id of an episode or a season that a source may know. */
export function episodeIdAt(item: unknown, path = 'ids'): string {
  for (const source of ['tmdb', 'tvdb']) {
    const id = textAt(item, `${path}.${source}`, 20)
    if (/^[1-9]\d{0,14}$/.test(id)) return `${source}:${id}`
  }
  return ''
}

/** Where the day begins: its end is the next bar. */
const dayAt = (play: string) => play.indexOf('|', play.indexOf('|') + 1) + 1

function dayIn(play: string): string {
  const at = dayAt(play)
  return play.slice(at, play.indexOf('|', at))
}

/** Without repetitions, of a title, in an order that does not depend on the order of the lines; days after `latest` are unknown. */
export function joinPlays(given: Iterable<string>, latest: string, notes: Set<string>): string[] {
  const plays = new Set<string>()
  const timesOf = new Map<string, number>()
  for (const play of given) {
    const day = dayIn(play)
    const place = play.slice(0, dayAt(play))
    const isFuture = day > latest
    if (isFuture) notes.add(noteOf('futureDate', 'episode'))
    const kept = isFuture ? place + play.slice(place.length + day.length) : play
    if (plays.has(kept)) continue
    const times = (timesOf.get(place) ?? 0) + 1
    if (times > timesMax || plays.size >= titlePlaysMax) {
      notes.add(noteOf('manyPlays'))
      continue
    }
    timesOf.set(place, times)
    plays.add(kept)
  }
  return [...plays].sort()
}

export function daysOf(plays: readonly string[]): { first: string | null; last: string | null } {
  let [first, last] = ['', '']
  for (const play of plays) {
    const day = dayIn(play)
    if (day === '') continue
    if (first === '' || day < first) first = day
    if (day > last) last = day
  }
  return { first: first || null, last: last || null }
}
