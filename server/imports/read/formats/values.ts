import { noteOf } from '#shared/texts/import-notes.ts'
import { type DiaryStatus, type Kind, perKind } from '#shared/domain/kinds.ts'
import {
  diaryDateMin,
  diaryEntriesMax,
  nameMax,
  ratingMax,
  ratingMin,
  reviewTextMax,
} from '#shared/domain/limits.ts'
import type { ImportOptions } from '#shared/contracts/imports.ts'
import { toIsbn13 } from '#shared/domain/isbn.ts'
import { line, text } from '#shared/contracts/scalars.ts'
import { fold } from '#server/db/fold.ts'
import { htmlConverter, tidyLines } from '#server/text/html-to-text.ts'
import { truncate } from '#shared/texts/truncate.ts'
import { parseDate } from './dates.ts'

/** A calendar date (`YYYY`, `YYYY-MM` or `YYYY-MM-DD`), or an instant (ISO 8601 in UTC). */
export type ParsedDate = string

export const notesColumn = '(notes)'

const anyLine = line(Number.MAX_SAFE_INTEGER)
const anyText = text(Number.MAX_SAFE_INTEGER)
/** UTF-16 units and tags per text: three milliseconds at worst. */
const htmlInputMax = 24_000
const htmlTagsMax = 1_000
const stripHtml = htmlConverter({ inputMax: htmlInputMax, keepsLinks: true })

/** Empty if it cannot be normalized in linear time. */
export function lineOf(value: string, max: number = nameMax): string {
  if (value === '') return ''
  return truncate(anyLine.safeParse(value.slice(0, 6 * max)).data ?? '', max)
}

function boundedHtml(html: string): string {
  let end = -1
  for (let tags = 0; tags <= htmlTagsMax; tags += 1) {
    end = html.indexOf('<', end + 1)
    if (end === -1 || end >= htmlInputMax) return html.slice(0, htmlInputMax)
  }
  return html.slice(0, end)
}

const tag =
  /<\/?(?:a|b|i|u|s|p|br|em|hr|li|ol|ul|q|div|del|sub|sup|pre|code|cite|span|font|small|strong|strike|center|blockquote|h[1-6])(?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))*\s*\/?>/
    .source
const entity = '&(?:#\\d{1,7}|#x[\\da-f]{1,6}|[a-z]{2,8}\\d?);'
const markup = new RegExp(`${tag}|${entity}`, 'i')
const literals = new RegExp(`(${tag}|${entity})|[<&]`, 'gi')

/** `guess` is decided by tags and entities. */
export type TextForm = 'html' | 'guess' | 'plain'

/** Escapes signs of no tag and no entity, as in `<3`; undefined without markup. */
function htmlOf(value: string, form: TextForm): string | undefined {
  if (form === 'plain' || !/[<&]/.test(value)) return undefined
  if (form === 'html') return value
  const start = value.slice(0, htmlInputMax)
  if (!markup.test(start)) return undefined
  return start.replace(literals, (sign, known) => known ?? (sign === '<' ? '&lt;' : '&amp;'))
}

/** Several lines, cut to the maximum of reviews; a note says so. */
export function textOf(value: string, notes: string[], form: TextForm = 'guess'): string {
  if (value === '') return ''
  // Converting text without markup would only change its white space.
  const html = htmlOf(value, form)
  const given = html === undefined ? value.slice(0, htmlInputMax) : boundedHtml(html)
  const plain = anyText.safeParse(html === undefined ? given : stripHtml(given))
  if (!plain.success) {
    notes.push(noteOf('combiningMarks'))
    return ''
  }
  const tidy = html === undefined ? plain.data : tidyLines(plain.data)
  const isCut = given.length < (html ?? value).length || value.length > htmlInputMax
  if (tidy.length > reviewTextMax || isCut) notes.push(noteOf('longText'))
  return truncate(tidy, reviewTextMax)
}

export function plainLineOf(
  value: string,
  { max, form = 'guess' }: { max?: number | undefined; form?: TextForm } = {},
): string {
  const isPlain = !value.includes('<') && !value.includes('&')
  return lineOf(isPlain ? value : textOf(value.slice(0, 6 * nameMax), [], form), max)
}

export function namesOf(value: string, separator: string | RegExp = ','): string[] {
  const names = value.slice(0, 4_000).split(separator, 20)
  return [...new Set(names.map((name) => lineOf(name, 100)).filter(Boolean))].slice(0, 10)
}

/** `2013–2023` or `Apr 18, 2011`. */
export function yearOf(value: string): number | null {
  const found = /(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)/.exec(value.slice(0, 200))
  return found ? Number(found[1]) : null
}

/**
 * An instant if it has a time and a zone; null for a blank value, and with a note for an invalid one or before 1870. Exports write the
 * start of 1970 and zeros for an unknown date.
 */
export function dateOf(
  value: string,
  notes: string[],
  order: ImportOptions['dates'] = 'auto',
): ParsedDate | null {
  // LibraryThing writes `[2007-05-08]`.
  const given = value.trim().replace(/^\[([^[\]]*)\]$/, '$1')
  if (given === '' || /^(none|null|nan|n\/a|-|[0-]+)$/i.test(given)) return null
  const date = given.length > 80 ? null : parseDate(given, notes, order)
  const problem = date === null ? noteOf('notADate', lineOf(given, 40)) : problemOf(date)
  if (problem) notes.push(problem)
  return problem ? null : date
}

function problemOf(date: string): string | undefined {
  if (date.startsWith('1970-01-01T00:00:00')) return noteOf('unknownDate')
  const isEarly = date.slice(0, 10) < diaryDateMin.slice(0, Math.min(10, date.length))
  return isEarly ? noteOf('earlyDate', date.slice(0, 10)) : undefined
}

export function dayOf(date: ParsedDate | null): string | null {
  return date && date.slice(0, 10)
}

/** Noon in UTC, which is the same day from UTC-12 to UTC+11; instants are unchanged. */
export function timeOf(date: ParsedDate): string {
  return date.includes('T') ? date : `${`${date}-01-01`.slice(0, 10)}T12:00:00.000Z`
}

export function instantOf(date: ParsedDate, now: Date): string {
  const [time, latest] = [timeOf(date), now.toISOString()]
  return time < latest ? time : latest
}

export type Scale = { min?: number; max: number }

/** `4.5/5`; null for a blank value or 0, which is no rating in exports, and with a note for one outside of the scale. */
export function ratingOf(value: string, { min = 0.01, max }: Scale, notes: string[]): string | null {
  const given = value.trim().replace(',', '.')
  if (given === '' || /^(null|none|nan|n\/a|-)$/i.test(given)) return null
  const number = /^\d{1,3}(\.\d{1,20})?$/.test(given) ? Math.round(Number(given) * 100) / 100 : Number.NaN
  if (number === 0) return null
  if (!(number >= min && number <= max)) {
    const from = min >= 0.5 ? min : 0
    notes.push(noteOf('notARating', lineOf(value, 40), from, max))
    return null
  }
  return `${number}/${max}`
}

/** On the scale of stars, such as 4.35 for `87/100`. Of whole hundredths, so that a half is exact. */
export function exactStarsOf(given: string): number {
  const [value = '0', scale = '5'] = given.split('/')
  return (Math.round(Number(value) * 100) * 5) / (Number(scale) * 100)
}

/** In steps of a half, or of whole stars. `isHalf`: exactly between two steps; `halves` decides. */
export function starsOf(
  given: string,
  { halves, halfStars }: Pick<ImportOptions, 'halves' | 'halfStars'>,
): { stars: number; isHalf: boolean } {
  const step = halfStars ? 0.5 : 1
  const steps = exactStarsOf(given) / step
  const isHalf = steps % 1 === 0.5
  const stars = step * (isHalf && halves === 'down' ? Math.floor(steps) : Math.round(steps))
  return { stars: Math.min(ratingMax, Math.max(ratingMin, stars)), isHalf }
}

const lostDigits = /\d[.,]\d+e\+?\d+|\de\+\d+/i
/** Also one that lost its zero in a spreadsheet. */
const isbns =
  /(?<![\dx])(?:97[89](?:[-\s]?\d){10}|\d(?:[-\s]?\d){8}[-\s]?[\dx]|\d{8}[\dx](?=\.0|\s*$))(?![\dx])/gi

/** The first usable value; a note if one is damaged. */
export function isbnOf(values: readonly string[], notes: string[]): string | null {
  for (const value of values) {
    const given = value.slice(0, 200).replace(/\p{Pd}/gu, '-')
    if (lostDigits.test(given)) notes.push(noteOf('isbnLost'))
    else {
      const all = Array.from(given.matchAll(isbns), ([each]) =>
        toIsbn13(each.replace(/[-\s]/g, '').toUpperCase().padStart(10, '0')),
      )
      const usable = all.find((each) => typeof each === 'string')
      if (usable) return usable
      if (all.length > 0) notes.push(noteOf('isbnWrong'))
    }
  }
  return null
}

export function imdbIdOf(value: string): string | null {
  return /\btt\d{5,10}\b/.exec(value.slice(0, 200))?.[0] ?? null
}

export function numberIdOf(value: string): string | null {
  return /^0{0,9}([1-9]\d{0,14})(?:\.0)?$/.exec(value.trim())?.[1] ?? null
}

const rememberedMax = 1_000

/** For names of columns and of shelves, of which a file has few. */
export function remembered<Result>(compute: (name: string) => Result): (name: string) => Result {
  const results = new Map<string, Result>()
  return (name) => {
    if (name.length > nameMax) return compute(name)
    if (!results.has(name)) {
      if (results.size >= rememberedMax) results.clear()
      results.set(name, compute(name))
    }
    return results.get(name)!
  }
}

/** `TV Mini Series` and `tvMiniSeries` are one word. */
export const compact = (value: string) => fold(value.slice(0, 200)).replace(/[^\p{L}\p{Nd}]+/gu, '')

/** `*` is each of the verbs. */
function byWord<Key extends string>(table: Record<Key, string>): ReadonlyMap<string, Key> {
  const entries = Object.entries(table) as [Key, string][]
  const each = (word: string) => ['watch', 'read', 'play'].map((verb) => compact(word.replace('*', verb)))
  return new Map(
    entries.flatMap(([key, words]) =>
      words
        .split('|')
        .flatMap(each)
        .map((word) => [word, key]),
    ),
  )
}

/** `none` is for what is owned, which says nothing about the diary. */
const statuses = byWord<DiaryStatus | 'none'>({
  want:
    'want|wishlist|watchlist|backlog|planned|planning|plan|queue|queued|tbr|ptw|ptr|to *|want to *|plan to *|planned to *|to be *|not started|un*ed|unread|unseen|interested|for later|later|* later|someday|bookmarked|' +
    'geplant|merkliste|wunschliste|will ich sehen|will ich lesen|noch nicht gesehen|ungesehen|ungelesen|zu sehen|zu lesen|' +
    'à voir|à lire|à jouer|envie|prévu|planifié|liste de souhaits|pendiente|pendientes|por ver|por leer|por jugar|quiero ver|quiero leer|planeado|' +
    'da vedere|da leggere|da giocare|pianificato|lista dei desideri|quero ver|quero ler|para ver|para ler|pretendo ler|planejado|lista de desejos|lista de deseos|' +
    'wil ik zien|wil ik lezen|te lezen|te zien|gepland|verlanglijst|do obejrzenia|do przeczytania|do zagrania|chcę obejrzeć|chcę przeczytać|planowane|' +
    '見たい|観たい|読みたい|やりたい|積読|積ん読|未読|未視聴|ウィッシュリスト|予定|想看|想读|想讀|想玩|буду смотреть|буду читать|запланировано|хочу прочитать|хочу посмотреть',
  started:
    'started|in progress|progress|current|ongoing|*ing|currently *ing|now *ing|re*ing|rewatching|rereading|replaying|' +
    'angefangen|begonnen|läuft|schaue ich|lese ich|lese gerade|am lesen|spiele gerade|en cours|commencé|viendo|leyendo|jugando|en curso|en progreso|empezado|' +
    'in corso|sto leggendo|sto guardando|iniziato|assistindo|vendo|lendo|jogando|em andamento|bezig|aan het lezen|aan het kijken|mee bezig|oglądam|czytam|gram|w trakcie|' +
    '視聴中|読書中|読んでいる|プレイ中|進行中|在看|在读|在讀|在玩|смотрю|читаю|играю|в процессе',
  paused:
    'paused|pause|on hold|hold|stalled|suspended|on break|interrupted|' +
    'pausiert|unterbrochen|en pause|en attente|en pausa|pausado|in pausa|sospeso|em pausa|em espera|gepauzeerd|onderbroken|wstrzymane|wstrzymano|一時停止|中断|保留|搁置|擱置|отложено',
  finished:
    'finished|finish|watched|seen|read|played|complete|completed|done|beaten|beat|mastered|rewatched|reread|replayed|already *ed|read but unowned|' +
    'gesehen|gelesen|gespielt|fertig|abgeschlossen|beendet|durchgespielt|vu|lu|joué|terminé|fini|visto|vista|leído|jugado|terminado|completado|acabado|' +
    'letto|giocato|finito|completato|lido|jogado|concluído|completo|assistido|zerado|gezien|gelezen|gespeeld|uitgelezen|klaar|voltooid|' +
    'obejrzane|obejrzany|przeczytane|przeczytana|ukończone|zagrane|見た|観た|視聴済み|視聴済|鑑賞済み|読了|読んだ|既読|クリア|クリア済み|プレイ済み|完了|看过|看過|读过|讀過|玩过|玩過|просмотрено|прочитано|пройдено',
  dropped:
    'dropped|drop|did not finish|didn’t finish|dnf|abandoned|stopped|gave up|quit|retired|' +
    'abgebrochen|aufgegeben|nicht beendet|abandonné|arrêté|abandonado|dejado|abbandonato|desistido|gestopt|afgebroken|niet uitgelezen|porzucone|przerwane|中止|断念|挫折|視聴中止|弃|抛弃|棄|брошено',
  none: 'owned|own|collected|collection|in collection|library|my library|your library|in library|bought|purchased|none|no status',
})

export const knownStatus = remembered((shelf) => statuses.get(compact(shelf)))

export const shelfName = remembered((shelf) => lineOf(shelf))

/** What the member chose, else what the name says; undefined with a note if neither is known, null for a blank shelf. */
export function statusOf(
  shelf: string,
  options: ImportOptions,
  notes: string[],
): DiaryStatus | null | undefined {
  if (shelf === '') return null
  const name = shelfName(shelf)
  const chosen = Object.hasOwn(options.shelves, name) ? options.shelves[name] : undefined
  const status = chosen ?? knownStatus(shelf)
  if (status === 'skip' || status === 'none') return undefined
  if (!status) notes.push(noteOf('unknownStatus', name))
  return status
}

/** Besides its names here. */
const moreKindWords: { [K in Kind]?: string[] } = {
  movie: [
    'film|films|feature|featurefilm|tvmovie|short|video|tvshort|tvspecial|musicvideo|documentary',
    'filme|spielfilm|película|películas|映画|电影|電影|фильм|фильмы',
  ],
  tvShow: [
    'tv|show|shows|series|tvseries|anime|tvminiseries|miniseries',
    'serie|serien|fernsehserie|série|séries|serial|seriale|ドラマ|アニメ|テレビ番組|电视剧|電視劇|сериал|сериалы',
  ],
  book: [
    'novel|edition|ebook|audiobook|comic|manga|work',
    'buch|bücher|roman|livre|livres|libro|libros|libri|livro|livros|boek|boeken|książka|książki|本|書籍|小説|漫画|书|图书|книга|книги',
  ],
  game: [
    'videogame|videogames',
    'spiel|spiele|videospiel|jeu|jeux|jeu vidéo|juego|juegos|videojuego|gioco|giochi|videogioco|jogo|jogos|spel|spellen|gra|gry|ゲーム|游戏|遊戲|игра|игры',
  ],
}
const kindsByWord = byWord(
  perKind(({ kind, words }) => [kind, words.one, words.many, ...(moreKindWords[kind] ?? [])].join('|')),
)

export const kindOf = remembered((word) => kindsByWord.get(compact(word)))

export const readsMax = Math.min(50, diaryEntriesMax)

export function readsOf(count: string, min = 1): number {
  return Math.min(readsMax, Math.max(min, Math.trunc(Number(count)) || 1))
}
