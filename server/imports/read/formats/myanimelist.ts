import type { DiaryStatus } from '#shared/domain/kinds.ts'
import type { Files, Format } from './format.ts'
import { readXml } from './read-xml.ts'
import { type Records, titleOf } from './records.ts'
import { baseOf, itemRecord } from './rows.ts'
import { numberIdOf } from './values.ts'

const isExport = (head: string) => /<myanimelist[\s>]/.test(head)
const isXmlFile = (file: string) => /\.xml$/i.test(file)

const columns = [
  ...'medium,series_animedb_id,manga_mangadb_id,series_title,manga_title,series_type,my_score'.split(','),
  ...'my_status,my_start_date,my_finish_date,my_times_watched,my_times_read,my_rewatching'.split(','),
  ...'my_rereading,my_watched_episodes,my_read_chapters,my_read_volumes,my_comments,my_tags'.split(','),
]

/** Of old exports. */
const statusesByNumber = new Map<string, DiaryStatus>([
  ['1', 'started'],
  ['2', 'finished'],
  ['3', 'paused'],
  ['4', 'dropped'],
  ['6', 'want'],
])

/** Zeros stand for an unknown month or day. */
const knownPart = (date: string) => date.replace(/^(\d{4})-00-\d\d$|^(\d{4}-\d\d)-00$/, '$1$2')

async function* records(files: Files): Records {
  for (const name of files.names) {
    if (files.isZip && !isXmlFile(name)) continue
    for (const item of readXml(await files.read(name), files.count)) {
      const { section, index } = item
      const file = section || baseOf(name)
      if ('problem' in item) yield { file, line: index, problem: item.problem }
      else if (section === 'anime' || section === 'manga') {
        const { values } = item
        for (const date of ['my_start_date', 'my_finish_date'])
          if (Object.hasOwn(values, date)) values[date] = knownPart(values[date]!.trim())
        yield itemRecord(file, index, { ...values, medium: section }, columns)
      }
    }
  }
}

export const myanimelist: Format = {
  isZip: ({ hasHead }) => hasHead(isXmlFile, isExport),
  isXml: isExport,
  columns,
  records,
  shelfOf: ({ get }) => (statusesByNumber.has(get('my_status')) ? '' : get('my_status')),
  parse({ get, line, day, isYes, text, rating, status: statusOf }) {
    const isManga = get('medium') === 'manga'
    const kind = isManga ? 'book' : /^movie$/i.test(get('series_type')) ? 'movie' : 'tvShow'
    const id = numberIdOf(get(isManga ? 'manga_mangadb_id' : 'series_animedb_id'))
    const own = id && `${isManga ? 'manga' : 'anime'}:${id}`
    const isAgain = isYes(isManga ? 'my_rereading' : 'my_rewatching')
    const status = statusesByNumber.get(get('my_status')) ?? statusOf(get('my_status'))
    const note = text('my_comments')
    const isCounted = (...names: string[]) => names.some((name) => /[1-9]/.test(get(name)))
    return titleOf({
      kind,
      name: line(isManga ? 'manga_title' : 'series_title') || line('series_title'),
      ids: [['myanimelist', own]],
      rating: rating('my_score', { max: 10 }),
      entries: [
        {
          status,
          startedOn: day('my_start_date'),
          finishedOn: day('my_finish_date'),
          text: note,
          origin: own && `myanimelist:${own}`,
          ...(isAgain && { isAgain: true }),
        },
      ],
      notKept: [
        kind === 'tvShow' && isCounted('my_watched_episodes') && 'episodes',
        isManga && isCounted('my_read_chapters', 'my_read_volumes') && 'progress',
        isCounted('my_times_watched', 'my_times_read') && 'repeats',
        get('my_tags') !== '' && 'tags',
        !status && note !== '' && 'notes',
      ],
    })
  },
}
