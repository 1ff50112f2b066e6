import { diaryStatuses, idPatterns, type IdSource, type Kind, kindNames } from '#shared/domain/kinds.ts'
import { isRating } from '#shared/domain/ratings.ts'
import { changeNotificationSettings, type SettingsChange } from '#shared/contracts/notifications.ts'
import { byFlag, flagNames } from '#shared/domain/review-flags.ts'
import { stepValueMax } from '#shared/domain/limits.ts'
import { safeUnits, safeUnitsOf } from '#shared/domain/safe-up-to.ts'
import { listVisibilities } from '#shared/domain/visibilities.ts'
import type { Files, Format } from './format.ts'
import { listItemOf, listOf, noName, type ParsedSafe, type Records, titleOf, unexpected } from './records.ts'
import { lineOf, textOf } from './values.ts'
import { partOf, playOf } from './plays.ts'
import { readJson } from './read-json.ts'
import { lineOfStep, stepsIn } from './steps.ts'
import { baseOf, itemRecord, listAt, textAt, unreadable } from './rows.ts'

// An export names each title once; the reader puts it into each record that refers to it, and steps into their entry. The file of a record is its section.

/** `imports` and lists of records that Medley does not import; an older version did not import steps. */
const notKept = ['steps', 'reactions', 'comments', 'imports']
const sections = [
  'reviews',
  'partReviews',
  'diary',
  'plays',
  'favorites',
  'lists',
  'listItems',
  'following',
  ...notKept.slice(1),
]
const settingsSection = 'notificationSettings'
const titleMax = 1_200
const refMax = 200

const paths = [
  ...'ref name description isRanked visibility tags list listName note addedAt username id'.split(' '),
  ...'rating ratingGiven text status startedOn finishedOn isAgain origin createdAt updatedAt ratedAt'.split(
    ' ',
  ),
  ...'season episode episodeId partId pass watchedOn watchedAt'.split(' '),
  ...'author reaction service fileName instance settings steps'.split(' '),
  ...'ref kind name year creators ids'.split(' ').map((path) => `title.${path}`),
  ...flagNames,
  ...[...safeUnits, 'season', 'number'].map((name) => `safeUpTo.${name}`),
]

function titleFrom(item: unknown): Record<string, string> | null {
  const [ref, kind] = [textAt(item, 'ref', refMax), textAt(item, 'kind')]
  if (ref === '' || !isOneOf(kind, kindNames)) return null
  const creators = listAt(item, 'creators').filter((each) => typeof each === 'string')
  const ids = listAt(item, 'ids').map((id) => `${textAt(id, 'source', 50)} ${textAt(id, 'id', 100)}`)
  return {
    ref,
    kind,
    name: textAt(item, 'name', titleMax),
    year: textAt(item, 'year', 10),
    creators: linesOf(creators.slice(0, 10)),
    ids: linesOf(ids.slice(0, 20)),
  }
}

const linesOf = (values: readonly string[]) =>
  values.map((value) => value.slice(0, refMax).replaceAll('\n', ' ')).join('\n')
const valuesIn = (lines: string) => lines.split('\n').filter(Boolean)

function isOneOf<Value extends string>(value: string, values: readonly Value[]): value is Value {
  return (values as readonly string[]).includes(value)
}

/** The format is named before the lists, but other keys may come first. */
function isHead(head: string): boolean {
  return (
    /^\ufeff?\s*\{/.test(head) && /"format"\s*:\s*"medley"/.test(head) && /"version"\s*:\s*1\b/.test(head)
  )
}

const isMain = (file: string) => file === '' || baseOf(file) === 'medley.json'

async function* records(files: Files): Records {
  const bytes = await files.read(files.names.find(isMain)!)
  // A file may list titles last.
  const titles = new Map<string, Record<string, string>>()
  const steps = new Map<string, string[]>()
  let instance = ''
  for (const each of readJson(bytes, files.count)) {
    if (!('value' in each)) continue
    if (each.section === 'instance' && typeof each.value === 'string') instance = lineOf(each.value)
    const title = each.section === 'titles' ? titleFrom(each.value) : null
    if (title) titles.set(title['ref']!, title)
    if (each.section === 'steps' && each.index > 0) {
      const entry = textAt(each.value, 'entry', refMax)
      const lines = steps.get(entry)
      if (lines) lines.push(lineOfStep(each.value))
      else steps.set(entry, [lineOfStep(each.value)])
    }
    files.refuse(titles.size)
  }
  for (const each of readJson(bytes, files.count)) {
    const { section, index } = each
    if (!('value' in each)) yield unreadable(section, each)
    else if (index > 0 && sections.includes(section)) {
      const title = titles.get(textAt(each.value, 'title'))
      const tags = linesOf(listAt(each.value, 'tags').filter((tag) => typeof tag === 'string'))
      const ofEntry = section === 'diary' ? steps.get(textAt(each.value, 'ref', refMax)) : undefined
      const more = { tags, title, instance, steps: ofEntry?.join('\n') }
      yield itemRecord(section, index, { ...(each.value as object), ...more }, paths)
    } else if (index === 0 && section === settingsSection) {
      const { data } = changeNotificationSettings.input.safeParse(each.value)
      yield itemRecord(section, 1, { settings: data && JSON.stringify(data) }, paths)
    }
  }
}

export const medley: Format = {
  isZip: ({ hasHead }) => hasHead(isMain, isHead),
  isJson: isHead,
  records,
  parse({ record: { file: section, line: position }, notes, get, date, day }) {
    const line = (column: string, max?: number) => lineOf(get(column), max)
    const text = (column: string) => textOf(get(column), notes, 'plain')
    if (notKept.includes(section)) return { type: 'notKept', what: section }
    const instance = get('instance')
    if (section === settingsSection) {
      const settings = get('settings')
      return settings === ''
        ? unexpected
        : { type: 'settings', settings: JSON.parse(settings) as SettingsChange }
    }
    if (section === 'following') {
      const username = line('username', 100)
      const follow = { instance, username, id: Number(get('id')) || null, on: date('createdAt') }
      return username === '' ? unexpected : { type: 'follow', follow }
    }
    if (section === 'lists') {
      const visibility = get('visibility')
      if (get('ref') === '' || get('name') === '') return unexpected
      return listOf({
        key: `${instance} ${get('ref')}`,
        name: get('name'),
        description: text('description'),
        isRanked: get('isRanked') === 'true',
        visibility: isOneOf(visibility, listVisibilities) ? visibility : 'private',
        tags: valuesIn(get('tags')),
        createdOn: date('createdAt'),
        updatedOn: date('updatedAt'),
      })
    }
    const kind = get('title.kind')
    if (!isOneOf(kind, kindNames)) return noName
    const year = get('title.year')
    const [createdAt, updatedAt] = [date('createdAt'), date('updatedAt')]
    const ratingGiven = /^\d{1,3}(\.\d{1,2})?\/[1-9]\d{0,2}$/.exec(get('ratingGiven'))?.[0] ?? null
    const title = {
      kind,
      name: line('title.name'),
      year: /^[1-9]\d{3}$/.test(year) ? Number(year) : null,
      authors: valuesIn(get('title.creators')).flatMap((each) => lineOf(each, 100) || []),
      ids: [
        ['medley', lineOf(`${instance} ${get('title.ref')}`, 300)] as const,
        ...valuesIn(get('title.ids')).flatMap((each) => {
          const [source = '', id = ''] = each.split(' ', 2)
          return isIdSource(source) && idPatterns[source].test(id) ? [[source, id] as const] : []
        }),
      ],
    }
    if (section === 'listItems') {
      const about = { key: `${instance} ${get('list')}`, name: get('listName') || 'List', position }
      const item = listItemOf({ ...about, note: text('note'), addedOn: date('addedAt') })
      return get('list') === '' ? unexpected : titleOf({ ...title, listItems: [item] })
    }
    if (section === 'favorites') return titleOf({ ...title, isFavorite: true, favoriteOn: createdAt })
    const pass = Number(/^[1-9]\d{0,3}$/.exec(get('pass'))?.[0] ?? 0) || null
    if (section === 'plays') {
      const [watchedOn, at] = [day('watchedOn'), get('watchedAt')]
      const plays = playOf({
        season: get('season'),
        number: get('episode'),
        day: watchedOn,
        pass: pass ?? 1,
        ...(/^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(at) && !Number.isNaN(Date.parse(at)) && { at }),
        ...(/^[a-z]{1,20}:[1-9]\d{0,14}$/.test(get('episodeId')) && { episodeId: get('episodeId') }),
        origin: line('origin') || null,
      })
      return kind === 'tvShow' && plays.length > 0 ? titleOf({ ...title, plays }) : unexpected
    }
    if (section === 'diary') {
      const status = get('status')
      const { steps, isCut } = stepsIn(get('steps'), kind, notes)
      const entry = {
        startedOn: day('startedOn'),
        finishedOn: day('finishedOn'),
        isAgain: get('isAgain') === 'true',
        pass: kind === 'tvShow' ? pass : null,
        ratingGiven,
        text: text('text'),
        origin: line('origin') || null,
        addedOn: createdAt,
        updatedOn: updatedAt,
        steps,
      }
      return isOneOf(status, diaryStatuses)
        ? titleOf({ ...title, entries: [{ ...entry, status }], notKept: [isCut && 'steps'] })
        : unexpected
    }
    const rating = Number(get('rating'))
    if (!isRating(rating)) return unexpected
    const isOfPart = section === 'partReviews'
    const part = isOfPart ? partOf(get('season'), get('episode'), placeIn(get('partId'))) : undefined
    if (isOfPart && (kind !== 'tvShow' || !part)) return unexpected
    const flags = byFlag((_flag, name) => get(name) === 'true')
    const isLimited = safeUnits.some((unit) => get(`safeUpTo.${unit}`) !== '')
    const safeUpTo = isLimited ? safeIn(get, kind) : undefined
    // A text that is not for everybody stays so.
    if (isLimited && !safeUpTo) flags.hasSpoilers = true
    return titleOf({
      ...title,
      part,
      rating: ratingGiven ?? `${rating}/5`,
      // An unknown date is written as the start of 1970, and needs no note.
      ratedOn: get('ratedAt').startsWith('1970-01-01T00:00:00') ? null : date('ratedAt'),
      review: text('text'),
      reviewedOn: createdAt,
      hasSpoilers: flags.hasSpoilers || isLimited,
      ...(createdAt?.includes('T') && {
        restored: {
          rating,
          ratingGiven,
          ...flags,
          createdAt,
          updatedAt: updatedAt ?? createdAt,
          ...(safeUpTo && { safeUpTo }),
        },
      }),
    })
  },
}

/** From `tmdb-episode:62085`. */
const placeIn = (id: string) =>
  /^([a-z]{1,20})-(?:episode|season):([1-9]\d{0,14})$/.exec(id)?.slice(1).join(':')

/** Undefined if no text about this kind can say so. */
function safeIn(get: (column: string) => string, kind: Kind): ParsedSafe | undefined {
  const numberAt = (name: string) => (/^\d{1,6}$/.test(get(name)) ? Number(get(name)) : 0)
  if (get('safeUpTo.episodeId') !== '') {
    const episode = partOf(get('safeUpTo.season'), get('safeUpTo.number') || '?')
    return kind === 'tvShow' && episode ? { season: episode.season, number: episode.number! } : undefined
  }
  const [page, percent] = [numberAt('safeUpTo.page'), numberAt('safeUpTo.percent')]
  const units = safeUnitsOf(kind)
  if (units.includes('page') && page > 0 && page <= stepValueMax) return { page }
  return units.includes('percent') && percent > 0 && percent <= 100 ? { percent } : undefined
}

function isIdSource(source: string): source is IdSource {
  return Object.hasOwn(idPatterns, source)
}
