import { type ImportOptions } from '#shared/contracts/imports.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { fold } from '#server/db/fold.ts'
import { compact, remembered } from './values.ts'
import { type CsvField, csvFields } from '#shared/domain/import-formats.ts'

// Only listed names are taken: a text that may be somebody else's, such as a description, is never guessed to be the member's.

const english: Record<CsvField, readonly RegExp[]> = {
  name: [
    /^(title|name)$/,
    /^(film|movie|book|game|show|tvshow|series|anime|media|item|primary|work)(title|name)$/,
    /^(original|full|display|english)title$/,
    /^(titles|films?|movies?|books?|games?|shows?|tvshows?|series|anime)$/,
  ],
  year: [
    /^(release|released?|original|publication|production)*year(released|published|ofrelease|ofpublication)?$/,
    /^(release|published?|publication|premiere)date$/,
    /^(released?|pubdate)$/,
  ],
  authors: [/^(authors?(text|names?|lf)?|writers?|primaryauthor|creators?)$/],
  kind: [/^(media|title|item)?(type|kind|category)$/, /^media$/],
  imdb: [/^(imdb(id|url|link)?|const|(imdb)?tconst)$/],
  tmdb: [/^(tmdb|themoviedb)(id)?$/],
  isbn: [/^isbn13$/, /^isbn$/, /^isbn10$/, /^isbns$/],
  igdb: [/^igdb(id)?$/],
  rating: [
    /^(my|your|own|personal|user|member|our)(star)?(ratings?|scores?|stars|grades?|marks?|rate|rated|votes?|reviewscore)$/,
    /^(i|you|me)rated$|^rated(by)?(me|i|you)$/,
    /^(ratings?|scores?|stars?|grades?|marks?|rate|rated|vote)(value|given)?$/,
    /^(star|number|review)(ratings?|score)$|^ratings?stars?$/,
  ],
  ratedOn: [
    /^(date(rated|ofrating|scored|voted)|(rated|voted|scored)(on|at|date)|(rating|vote)(date|on|at))$/,
  ],
  review: [/^(my|your|own|user)?review(text|content|body)?$/, /^reviewnotes$/],
  note: [/^(my|your|own|personal|private|general)?(notes?|comments?|memos?|remarks?|thoughts)$/],
  status: [
    /^(read|reading|watch|watching|watched|play|playing|completion|user|my|your|tracking)?status$/,
    /^(exclusive)?(shelf|list)$/,
    /^(shelfname|state)$/,
  ],
  startedOn: [/^(date)?(started|start|begun|startdate|startedon|startedat|datestarted)$/],
  finishedOn: [
    /^(watched|seen|read|played|finished|completed|viewed)(on|date|at)$/,
    /^(date|last|latest)(watched|seen|read|played|finished|completed|viewed|dateread)(on|date|at)?$/,
    /^(finish|end|completion|stopped)date$|^(ended|dateended)(on|at)?$/,
    /^(watched|finished|completed)$/,
    /^date$/,
  ],
  list: [/^list(name|title)$/, /^lists$/],
}

/** Separated by `|`, the likeliest first. `none`: what may be a rating or something else. */
const languages: readonly Partial<Record<CsvField | 'none', string>>[] = [
  {
    name: 'titel|filmtitel|buchtitel|spieltitel|serientitel|originaltitel|film|buch|spiel|serie|filme|bücher',
    year: 'jahr|erscheinungsjahr|veröffentlichungsjahr|produktionsjahr|erschienen',
    authors: 'autor|autoren|autorin|verfasser|schriftsteller',
    kind: 'typ|art|medium|kategorie|medientyp',
    rating: 'meine bewertung|meine wertung|bewertung|bewertungen|wertung|punkte|punktzahl|sterne',
    ratedOn: 'bewertet am|bewertungsdatum|datum der bewertung',
    review: 'rezension|meine rezension|kritik|meine kritik|besprechung',
    note: 'notiz|notizen|anmerkung|anmerkungen|bemerkung|bemerkungen|kommentar|kommentare',
    status: 'status|lesestatus|regal|zustand',
    startedOn: 'begonnen am|begonnen|angefangen am|gestartet am|startdatum|beginn',
    finishedOn:
      'gesehen am|angesehen am|geschaut am|gelesen am|gespielt am|beendet am|abgeschlossen am|enddatum|zuletzt gesehen|gesehen|gelesen|gespielt|datum',
    list: 'liste|listenname',
    none: 'note|noten|schulnote',
  },
  {
    name: 'titre|titre du film|titre du livre|titre original|nom|film|livre|jeu|série|films|livres|jeux',
    year: 'année|année de sortie|année de publication|année de parution|date de sortie|date de parution',
    authors: 'auteur|auteurs|autrice|auteur(s)|écrivain',
    kind: 'type|catégorie|genre de média',
    rating: 'ma note|mon évaluation|évaluation|note attribuée|note|étoiles|score',
    ratedOn: 'date de notation|noté le|date de la note',
    review: 'critique|ma critique|avis|mon avis',
    note: 'notes|note|commentaire|commentaires|remarque|remarques|mémo',
    status: 'statut|état|étagère',
    startedOn: 'commencé le|début|date de début',
    finishedOn:
      'vu le|regardé le|lu le|joué le|terminé le|fini le|date de visionnage|date de lecture|date de fin|vu|lu|date',
    list: 'liste|nom de la liste',
  },
  {
    name: 'título|título original|nombre|película|libro|juego|serie|películas|libros|juegos',
    year: 'año|año de estreno|año de publicación|año de lanzamiento',
    authors: 'autor|autores|autora|escritor',
    kind: 'tipo|categoría',
    rating:
      'mi calificación|mi puntuación|mi valoración|mi nota|calificación|puntuación|valoración|puntaje|estrellas|nota|voto',
    ratedOn: 'fecha de calificación|fecha de voto|calificado el',
    review: 'reseña|mi reseña|crítica|mi crítica|opinión',
    note: 'notas|nota|comentario|comentarios|observaciones|apuntes',
    status: 'estado|estantería',
    startedOn: 'empezado el|inicio|fecha de inicio|comenzado',
    finishedOn:
      'visto el|vista el|leído el|jugado el|terminado el|fecha de visionado|fecha de lectura|fecha de fin|visto|leído|fecha',
    list: 'lista|nombre de la lista',
  },
  {
    name: 'titolo|titolo originale|nome|film|libro|gioco|serie|libri|giochi',
    year: 'anno|anno di uscita|anno di pubblicazione',
    authors: 'autore|autori|autrice|scrittore',
    kind: 'tipo|categoria',
    rating: 'il mio voto|mio voto|la mia valutazione|voto|valutazione|punteggio|stelle',
    ratedOn: 'data del voto|votato il|data voto',
    review: 'recensione|la mia recensione|critica',
    note: 'note|appunti|commento|commenti|osservazioni',
    status: 'stato|scaffale',
    startedOn: 'iniziato il|inizio|data di inizio|data inizio',
    finishedOn:
      'visto il|letto il|giocato il|finito il|completato il|data di visione|data di lettura|data di fine|data fine|visto|letto|data',
    list: 'lista|elenco|nome della lista',
  },
  {
    name: 'título|título original|nome|filme|livro|jogo|série|filmes|livros|jogos',
    year: 'ano|ano de lançamento|ano de publicação|data de lançamento',
    authors: 'autor|autores|autora|escritor',
    kind: 'tipo|categoria',
    rating:
      'minha avaliação|minha nota|minha classificação|avaliação|classificação|pontuação|estrelas|nota|voto',
    ratedOn: 'data da avaliação|avaliado em',
    review: 'resenha|minha resenha|crítica|análise|opinião',
    note: 'notas|nota|comentário|comentários|observações|anotações',
    status: 'status|estado|situação|estante',
    startedOn: 'iniciado em|início|data de início|começado em',
    finishedOn:
      'visto em|assistido em|lido em|jogado em|terminado em|concluído em|data de leitura|data de término|data de fim|visto|assistido|lido|data',
    list: 'lista|nome da lista',
  },
  {
    name: 'titel|filmtitel|boektitel|originele titel|naam|film|boek|spel|serie|boeken|films',
    year: 'jaar|jaar van uitgave|publicatiejaar|jaar van verschijnen',
    authors: 'auteur|auteurs|schrijver|schrijvers',
    kind: 'type|soort|categorie',
    rating: 'mijn beoordeling|mijn waardering|mijn cijfer|beoordeling|waardering|cijfer|score|sterren',
    ratedOn: 'beoordeeld op|datum beoordeling',
    review: 'recensie|mijn recensie|bespreking',
    note: 'notitie|notities|opmerking|opmerkingen|aantekeningen|commentaar',
    status: 'status|staat|plank',
    startedOn: 'begonnen op|gestart op|begindatum|startdatum',
    finishedOn:
      'gezien op|bekeken op|gelezen op|gespeeld op|uitgelezen op|voltooid op|einddatum|gezien|gelezen|datum',
    list: 'lijst|naam van de lijst',
  },
  {
    name: 'tytuł|tytuł filmu|tytuł książki|tytuł oryginalny|nazwa|film|książka|gra|serial|filmy|książki',
    year: 'rok|rok wydania|rok produkcji|rok premiery',
    authors: 'autor|autorzy|autorka|pisarz',
    kind: 'typ|rodzaj|kategoria',
    rating: 'moja ocena|twoja ocena|ocena|oceny|punkty|gwiazdki',
    ratedOn: 'data oceny|oceniono',
    review: 'recenzja|moja recenzja|opinia',
    note: 'notatka|notatki|uwagi|komentarz|komentarze',
    status: 'status|stan|półka',
    startedOn: 'rozpoczęto|data rozpoczęcia',
    finishedOn:
      'obejrzano|data obejrzenia|przeczytano|data przeczytania|ukończono|data ukończenia|data zakończenia|data',
    list: 'lista|nazwa listy',
  },
  {
    name: 'タイトル|作品名|題名|書名|映画名|原題|名前|作品|映画|本|ゲーム',
    year: '年|公開年|製作年|制作年|出版年|発売年|発行年',
    authors: '著者|作者|著者名',
    kind: '種類|種別|タイプ|カテゴリ|カテゴリー',
    rating: '自分の評価|マイ評価|評価|評点|点数|得点|スコア|レーティング|星',
    ratedOn: '評価日',
    review: 'レビュー|書評|批評',
    note: 'メモ|備考|コメント|感想|ノート',
    status: 'ステータス|状態|状況|本棚',
    startedOn: '開始日|読書開始日|視聴開始日',
    finishedOn: '鑑賞日|視聴日|読了日|観た日|見た日|完了日|終了日|クリア日|日付',
    list: 'リスト|リスト名',
  },
  {
    name: '标题|標題|片名|书名|書名|名称|名稱|电影|電影|游戏|遊戲',
    year: '年份|上映年份|出版年|年',
    authors: '作者',
    kind: '类型|類型|类别|類別',
    rating: '我的评分|我的評分|评分|評分|打分|星级|分数',
    ratedOn: '评分日期|打分日期|評分日期',
    review: '评论|評論|影评|影評|书评|書評',
    note: '备注|備註|笔记|筆記|短评|短評',
    status: '状态|狀態',
    startedOn: '开始日期|開始日期',
    finishedOn: '观看日期|觀看日期|阅读日期|完成日期|看过|日期',
  },
  {
    name: 'название|оригинальное название|фильм|книга|игра|сериал|фильмы|книги',
    year: 'год|год выпуска|год издания',
    authors: 'автор|авторы',
    kind: 'тип|категория',
    rating: 'моя оценка|оценка|рейтинг|балл|баллы',
    ratedOn: 'дата оценки',
    review: 'рецензия|отзыв|мой отзыв',
    note: 'заметка|заметки|примечание|примечания|комментарий|комментарии',
    status: 'статус|полка',
    startedOn: 'дата начала|начато',
    finishedOn: 'дата просмотра|дата прочтения|дата завершения|просмотрено|прочитано|дата',
    list: 'список',
  },
  {
    name: 'titel|originaltitel|namn|navn|tittel|filmtitel|film|bok|bog|spel|spil|spill|serie|böcker|bøger|bøker',
    year: 'år|utgivningsår|udgivelsesår|utgivelsesår',
    authors: 'författare|forfatter|forfattere',
    kind: 'typ|type|kategori',
    rating:
      'mitt betyg|betyg|min vurdering|vurdering|bedømmelse|karakter|stjärnor|stjerner|poäng|poeng|point',
    ratedOn: 'betygsatt|bedømt',
    review: 'recension|anmeldelse|omtale',
    note: 'anteckning|anteckningar|notat|notater|noter|kommentar|kommentarer|bemærkninger',
    status: 'status|hylla|hylde|hylle',
    startedOn: 'påbörjad|påbegyndt|startet|startad|startdatum|startdato',
    finishedOn: 'sedd|läst|set|læst|sett|lest|slutdatum|slutdato|sluttdato|datum|dato',
    list: 'lista|liste',
  },
]

const expand = (words: string | undefined) => (words ?? '').split('|').map(compact).filter(Boolean)
const byLanguage = languages.map((fields) => {
  const entries = [...csvFields, 'none' as const].map((field) => [field, expand(fields[field])] as const)
  const words = Object.fromEntries(entries) as Record<CsvField | 'none', string[]>
  return { words, all: new Set(entries.flatMap(([, each]) => each)) }
})
const allEnglish = new RegExp(
  Object.values(english)
    .flat()
    .map(({ source }) => source)
    .join('|'),
)

/**
 * For columns that mean something else than their names say. The program is known by two of its `signs`. `not`: columns that are not the
 * member's, such as the publisher’s description.
 */
type Program = {
  signs: string
  fields?: Partial<Record<CsvField, string>>
  not?: string
  scale?: number
  kind?: Kind
}
const programs: readonly Program[] = [
  // Calibre: `comments` is the description of the book.
  {
    signs: 'author sort|title sort|library name|series index|pubdate|uuid',
    fields: { year: 'pubdate' },
    not: 'comments',
    scale: 5,
    kind: 'book',
  },
  // LibraryThing: a comment is a note about the copy, and `date` the year of publication.
  {
    signs: 'primary author|secondary author|sort character|entry date|bcid|work id|private comment',
    fields: {
      note: 'private comment|comment|comments',
      status: 'collections',
      year: 'date',
      startedOn: 'date started',
      finishedOn: 'date read',
    },
    scale: 5,
    kind: 'book',
  },
  // Yamtrack
  { signs: 'media id|media type|progress|progressed at', scale: 10 },
  // Plex: `rating` is the critics’.
  {
    signs: 'audience rating|content rating|rating key|view count|last viewed at|added at',
    fields: { rating: 'user rating', finishedOn: 'last viewed at' },
    not: 'rating',
    scale: 10,
  },
  // Jellyfin and Emby
  {
    signs: 'community rating|official rating|critic rating|production year|run time ticks|play count',
    fields: { rating: 'user rating', finishedOn: 'last played date', year: 'production year' },
    not: 'rating',
    scale: 10,
  },
  // OMDb: `rated` is the age from which a film may be seen.
  { signs: 'imdb rating|imdb votes|metascore|box office', not: 'rated' },
  // HowLongToBeat: `review` is a rating.
  {
    signs: 'general notes|review notes|retired notes|storefront|main story|completionist',
    fields: { rating: 'review', review: 'review notes', note: 'general notes' },
    scale: 100,
    kind: 'game',
  },
  // Criticker
  {
    signs: 'quip|mini review|film link|number of ratings',
    fields: { review: 'quip|mini review' },
    scale: 100,
  },
  // BookWyrm, and files of StoryGraph and Goodreads that lack the columns by which they are known
  { signs: 'author text|remote id|review cw|review content|openlibrary key', scale: 5, kind: 'book' },
  { signs: 'read status|star rating|moods|pace|content warnings', scale: 5, kind: 'book' },
  { signs: 'bookshelves|exclusive shelf|author l f|private notes', scale: 5, kind: 'book' },
]

const aroundScale =
  /^(out|of|from|to|max|maximum|scale|on|in|points?|pts?|percent|percentage|bis|von|prozent|sur|su|na|op|z|over|sobre|点満点|点|満点)$/
const percents = /%|percent|prozent|pourcent|porcent|procent|percentuale/
const scales = [5, 10, 20, 100]

/** `Rating (0-10)`, `Rating10` or `Score %`. */
function scaleOf(column: string): { name: string; scale: number | undefined } {
  const folded = fold(spaced(column))
  const words = folded.match(/\p{Nd}+(?:[.,]\p{Nd}+)?|\p{L}+/gu) ?? []
  const highest = Math.max(...words.map(Number).filter((number) => number <= 100), 0)
  // A number that is no usual scale may count the columns of a name, as in `rating (2)`.
  const isScale =
    scales.includes(highest) ||
    new RegExp(`(/|of|max|sur|von|[01] ?(-|–|to|bis|a)) ?${highest}\\b|\\b${highest}[ -]?(point|star)`).test(
      folded,
    )
  const kept = words.filter((word) => !/^\p{Nd}/u.test(word) && !aroundScale.test(word))
  return {
    name: kept.join(''),
    scale: percents.test(folded) ? 100 : highest > 1 && isScale ? highest : undefined,
  }
}

export const scaleIn = (column: string) => scaleOf(column).scale

/** `WatchedDate` */
const spaced = (column: string) => column.slice(0, 200).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')

const ownWords =
  /ratings?\b|rating ?\d|score|stars\b|\brate[ds]?\b|\bvotes?\b|\bgrade|\breview|\bnot(es?|a)\b|\bcomments?\b|\bstatus\b|wertung|sterne|\bocena|评分|評分|評価|оценка|рейтинг/
/** Holds a rating, a text or a status, by its name. */
export const mayBeOwn = remembered((column) => ownWords.test(fold(spaced(column))))

/** Ratings in one language, notes in another. */
const ambiguous = /^not(e|es|en|er|a|as)$/

type ColumnGuess = {
  columns: ImportOptions['columns']
  /** If the column’s name or the program says it. */
  scale: number | undefined
  kind: Kind | undefined
}

export function guessColumns(columns: readonly string[]): ColumnGuess {
  const free = new Map(columns.map((column) => [column, compact(column)]))
  const keys = [...new Set(free.values())]
  const program = programs.find(({ signs }) => expand(signs).filter((sign) => keys.includes(sign)).length > 1)
  const ratings = new Map(columns.map((column) => [column, scaleOf(column)]))
  const names = [...free].map(([column, key]) => [key, ratings.get(column)!.name])
  const matches = (test: (name: string) => boolean) => names.filter((each) => each.some(test)).length
  const ranked = byLanguage
    .map(({ words, all }) => ({ words, count: matches((name) => all.has(name)) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
  const [best] = ranked
  const foreign = best && best.count > matches((name) => allEnglish.test(name)) ? best.words : undefined
  const guessed: ImportOptions['columns'] = {}

  const isNot = [...expand(program?.not), ...(foreign?.none ?? [])]
  for (const [column, key] of free) if (isNot.includes(key)) free.delete(column)
  for (const field of csvFields) take(field, expand(program?.fields?.[field]))
  for (const field of csvFields) {
    take(field, [...(foreign?.[field] ?? []), ...english[field]])
    const inOthers = ranked.flatMap(({ words }) => words[field])
    take(
      field,
      inOthers.filter((word) => !ambiguous.test(word)),
    )
  }
  const rating = ratings.get(guessed.rating ?? '')
  const ofStars =
    rating && /star|sterne|etoile|estrella|estrela|stelle|sterren|gwiazdk|星/.test(rating.name)
      ? 5
      : undefined
  return { columns: guessed, scale: rating?.scale ?? program?.scale ?? ofStars, kind: program?.kind }

  function take(field: CsvField, words: readonly (string | RegExp)[]): void {
    if (guessed[field] !== undefined) return
    for (const word of words)
      for (const [column, key] of free) {
        const name = field === 'rating' ? ratings.get(column)!.name : key
        if (typeof word === 'string' ? word !== key && word !== name : !word.test(name)) continue
        guessed[field] = column
        free.delete(column)
        return
      }
  }
}
