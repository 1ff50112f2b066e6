import { plusDays } from '#shared/domain/days.ts'
import { diaryDateMin } from '#shared/domain/limits.ts'
import type { RatingStep } from '#shared/domain/ratings.ts'
import type { DiaryStatus } from '#shared/domain/kinds.ts'
import { isEnglish, language, t } from '#shared/domain/message.ts'

export type Command = {
  status: DiaryStatus
  /** Otherwise the line may be the name of a title. */
  hasVerb: boolean
  title: string
  /** The title with the last number, if that may belong to it: “toy story 4”. */
  longTitle: string | null
  stars: RatingStep | null
  day: string | null
}

const verbs: Record<string, DiaryStatus> = {
  log: 'finished',
  watched: 'finished',
  read: 'finished',
  played: 'finished',
  finished: 'finished',
  started: 'started',
  dropped: 'dropped',
  want: 'want',
}
/** In a language other than English: its words, separated by spaces, for the English ones. */
export type CommandWords = {
  locale: string
  verbs: Record<string, string>
  stars: string
  /** Before a day of the week. */
  on: string
}

export function commandWords(): CommandWords | undefined {
  if (isEnglish) return undefined
  return {
    locale: language,
    verbs: {
      log: t`log watched read played finished`,
      started: t`started`,
      dropped: t`dropped`,
      want: t`want`,
    },
    stars: t`star stars`,
    on: t`on`,
  }
}

/** Returns a line with the English words of a command in place of the words of the language. The title stays as it is. */
export function inEnglish(
  line: string,
  today: string,
  { locale, verbs: ofVerbs, stars, on }: CommandWords,
): string {
  const [first = '', ...rest] = line.trim().split(/\s+/)
  const isFirst = (words: string) => words.toLowerCase().split(' ').includes(first.toLowerCase())
  const verb = Object.entries(ofVerbs).find(([, words]) => isFirst(words))?.[0]
  const before = verb === undefined ? '' : `${verb} `
  let text = (verb === undefined ? [first, ...rest] : rest).join(' ')
  text = text.replace(new RegExp(`([\\d½]) ?(?:${stars.replaceAll(' ', '|')})(?= |$)`, 'iu'), '$1/5')
  for (const [words, day] of daysIn(locale)) {
    const typed = words.replaceAll(' ', ' ?').replaceAll('’', "['’]")
    // The rating may follow.
    const found = new RegExp(`(?!^) (?:${on} )?${typed}(?=(?: [\\d.,½/★]+)?$)`, 'iu')
    if (found.test(text))
      return before + text.replace(found, ` ${typeof day === 'string' ? day : plusDays(today, -day)}`)
  }
  return before + text
}

const days = new Map<string, [words: string, day: string | number][]>()

/** “gestern”, “vor 3 Tagen”, “Montag”, each with the English day of the week or the number of days before today. */
function daysIn(locale: string): [words: string, day: string | number][] {
  const known = days.get(locale)
  if (known) return known
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const plain = new Intl.RelativeTimeFormat(locale)
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  const written = [...Array(agoMax).keys()].flatMap((back) =>
    [relative, plain].map((format): [string, number] => [format.format(-back, 'day'), back]),
  )
  // 1 January 2023 was a Sunday.
  const named = weekdays.map((name, at): [string, string] => [
    weekday.format(Date.UTC(2023, 0, 1 + at)),
    name,
  ])
  // The longest first: one may be the end of another.
  const all = [...written, ...named].sort(([a], [b]) => b.length - a.length)
  days.set(locale, all)
  return all
}

/** Days that are written in words. */
const agoMax = 100
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** No name of a title ends with these. */
const plainEnd = / (today|yesterday|\d{1,3} days? ago|\d{4}-\d\d-\d\d|[1-5] ?stars?|[1-5]\/5|★{1,5})$/i
/** Of members who rate in half stars: `3.5`, `3,5 stars`, `3½`. */
const halfEnd = /^(.+?) ([1-4])(?:[.,]5|(½))( ?stars?|\/5| ?★)?$/i
/** One that is not plain may belong to a name: “2.5”. */
const isPlainHalf = (half: RegExpExecArray | null) => half !== null && (half[3] ?? half[4]) !== undefined

/**
 * Reads “log dune yesterday 4”. Without the verb, the line must have a plain day or plain stars: “dune yesterday 4”. `today` is
 * `YYYY-MM-DD`. Null if it is no command.
 */
export function parseCommand(line: string, today: string, hasHalves = false): Command | null {
  const all = line.trim().split(/\s+/)
  const [verb = '', ...words] = all
  const known = Object.hasOwn(verbs, verb.toLowerCase()) ? verbs[verb.toLowerCase()] : undefined
  const status = known ?? 'finished'
  const hasVerb = known !== undefined
  if (hasVerb && words.length === 0) return null
  let title = (hasVerb ? words : all).join(' ')
  const readHalf = (text: string) => (hasHalves ? halfEnd.exec(text) : null)
  const rest = readHalf(title)?.[1] ?? title.replace(/ [1-5]$/, '')
  if (!hasVerb && !plainEnd.test(title) && !plainEnd.test(rest) && !isPlainHalf(readHalf(title))) return null
  let longTitle: string | null = null
  let stars: Command['stars'] = null
  let day: string | null = null
  for (;;) {
    const rated = stars === null ? /^(.+?) (?:([1-5])( ?stars?|\/5| ?★)?|(★{1,5}))$/i.exec(title) : null
    const dated: ReturnType<typeof dayAtEnd> = day === null ? dayAtEnd(title, today) : null
    const half = stars === null ? readHalf(title) : null
    if (half) {
      stars = (Number(half[2]) + 0.5) as RatingStep
      longTitle = isPlainHalf(half) ? null : title
      title = half[1]!
    } else if (rated) {
      stars = Number(rated[2] ?? rated[4]!.length) as RatingStep
      const isBare = rated[2] !== undefined && rated[3] === undefined
      longTitle = isBare ? title : null
      title = rated[1]!
    } else if (dated) ({ title, day } = dated)
    else break
  }
  return { status, hasVerb, title, longTitle, stars, day }
}

/** The day is not in the future. */
function dayAtEnd(line: string, today: string): { title: string; day: string } | null {
  const start = (count: string) => line.slice(0, -count.length).trim()
  const exact = / (\d{4}-\d\d-\d\d)$/.exec(line)
  if (exact) {
    const day = exact[1]!
    const isDay = !Number.isNaN(Date.parse(day)) && plusDays(day, 0) === day
    return isDay && day >= diaryDateMin && day <= today ? { title: start(exact[0]), day } : null
  }
  const ago = / (\d{1,3}) days? ago$/i.exec(line)
  if (ago) return { title: start(ago[0]), day: plusDays(today, -Number(ago[1])) }
  const named = / (?:(?:on|last) )?(today|yesterday|\w+day)$/i.exec(line)
  const name = named?.[1]!.toLowerCase()
  if (!named || name === undefined) return null
  if (name === 'today') return { title: start(named[0]), day: today }
  if (name === 'yesterday') return { title: start(named[0]), day: plusDays(today, -1) }
  const weekday = weekdays.indexOf(name)
  if (weekday === -1) return null
  const back = (new Date(`${today}T00:00Z`).getUTCDay() - weekday + 7) % 7 || 7
  return { title: start(named[0]), day: plusDays(today, -back) }
}

export function dayWord(day: string, today: string): string | undefined {
  return day === today ? t`today` : day === plusDays(today, -1) ? t`yesterday` : undefined
}
