import { english, type Translator } from '#server/text/translator.ts'
import { noteOf, textOfNote } from '#shared/texts/import-notes.ts'
import type { z } from 'zod'
import type { ImportDecision, ImportLine, ImportTitle } from '#shared/contracts/import-titles.ts'
import type { ImportDetail, listImports } from '#shared/contracts/imports.ts'
import { toStars } from '#shared/domain/ratings.ts'
import type { Services } from '#server/calls/context.ts'
import { findHalfStars } from '#server/reviews/library-store.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import type { CardRow } from '#server/titles/tables.ts'
import type { ImportRow } from './tables.ts'
import type { Current } from './apply/compare-parts.ts'
import { pick } from './pick.ts'
import type { ShownLineRow } from './read/lines-store.ts'
import { optionsOf, factsOf } from './facts.ts'
import { sumBy } from './limits.ts'
import { exactStarsOf } from './read/formats/values.ts'
import type { StoredDecision, TitleOfImport } from './match/titles.ts'

type Summary = z.infer<typeof listImports.output>['imports'][number]

export function toSummary(row: ImportRow): Summary {
  return {
    ...pick(row, ['id', 'service', 'state', 'total']),
    ...pick(factsOf(row), ['counts', 'changes']),
    fileName: row.file_name,
    done: Math.min(row.processed, row.total),
    createdAt: row.created_at,
    appliedAt: row.applied_at,
    undoneAt: row.undone_at,
  }
}

const pausing: readonly ImportRow['state'][] = ['waiting', 'matching', 'applying']
const afterwards: readonly ImportRow['state'][] = ['done', 'undoing', 'undone']

export async function showImport(
  { db, sources: { lookups } }: Pick<Services, 'db' | 'sources'>,
  row: ImportRow,
): Promise<{ import: ImportDetail }> {
  const hasHalfStars = (await findHalfStars(db, row.user_id)) > 0
  const facts = factsOf(row)
  const { kinds } = facts
  const isPaused = row.waiting_for !== null && pausing.includes(row.state)
  const lacks = (kind: 'movie' | 'tvShow' | 'game') =>
    kinds[kind] !== undefined && !lookups.some((lookup) => lookup.kinds.includes(kind))
  const { halves, ...adds } = facts.adds
  const { halves: _, ...applied } = facts.applied
  const ratings = Object.entries(facts.ratings).map(([given, rating]) => {
    return { given, ...rating, isRounded: exactStarsOf(given) !== rating.stars }
  })
  const detail = {
    ...toSummary(row),
    ...pick(facts, [
      'withoutRating',
      'longTexts',
      'unclearDates',
      'unknownEpisodes',
      'shelves',
      'columns',
      'unclear',
    ]),
    parts: afterwards.includes(row.state) ? applied : adds,
    ratings: ratings.sort(
      (a, b) => exactStarsOf(b.given) - exactStarsOf(a.given) || (a.given < b.given ? -1 : 1),
    ),
    rounded: sumBy(ratings, ({ isRounded, count }) => (isRounded ? count : 0)),
    halfStars: { count: facts.halfStars, turnsOn: halves > 0 && !hasHalfStars },
    notKept: Object.entries(facts.notKept).map(([what, count]) => ({ what, count })),
    missingKeys: [...(lacks('movie') || lacks('tvShow') ? ['TMDB'] : []), ...(lacks('game') ? ['IGDB'] : [])],
    waitingFor: isPaused ? row.waiting_for : null,
    nextAt: isPaused ? row.next_at : null,
    options: optionsOf(row),
  }
  return { import: detail }
}

function toDecision(decision: StoredDecision | null): ImportDecision | null {
  if (!decision) return null
  if (decision.choice) return decision.choice
  return decision.mediaId === undefined ? null : { mediaId: decision.mediaId }
}

type Shown = {
  texts: Translator | undefined
  cards: ReadonlyMap<number, CardRow>
  current: Current
  places: ImportTitle['lines']
}

export function toImportTitle(title: TitleOfImport, { texts, cards, current, places }: Shown): ImportTitle {
  const textOf = (note: string) => (texts ?? english).translate(textOfNote(note))
  const { record } = title
  const card = cards.get(title.media_id ?? 0)
  const reason = title.decision?.mediaId === undefined ? (title.matched?.reason ?? null) : noteOf('chosen')
  return {
    id: title.id,
    ...pick(record, ['kind', 'name', 'year', 'authors']),
    notes: [...record.notes, title.change?.unknown?.note.split('\n') ?? [], title.change?.note ?? []]
      .flat()
      .map(textOf),
    state: title.state,
    reason: reason === null ? null : textOf(reason),
    verdicts: title.change?.parts ?? {},
    lines: places,
    title: card ? toTitleCard(card) : null,
    // The schema leaves out what a source returned.
    candidates: title.candidates.map(({ mediaId, ...candidate }) => {
      const known = cards.get(mediaId ?? 0)
      const imageUrl = known ? known.image : candidate.imageUrl
      const creators = [...candidate.creators]
      const title = known ? toTitleCard(known) : null
      return { ...candidate, why: textOf(candidate.why), title, imageUrl, creators }
    }),
    theirs: {
      rating: record.rating?.stars ?? null,
      ratingGiven: record.rating?.given ?? null,
      text: record.review?.text ?? '',
      hasSpoilers: record.review?.hasSpoilers ?? false,
      writtenOn: record.review?.writtenAt ?? record.rating?.ratedAt ?? null,
      isFavorite: record.isFavorite,
      // The schema leaves out what an entry has besides.
      entries: record.entries,
    },
    mine: card ? toMine(current) : null,
    decision: toDecision(title.decision),
  }
}

function toMine({ reviews, entries, isFavorite }: Current) {
  const review = reviews.get(null)
  return {
    rating: review ? toStars(review.rating) : null,
    ratingGiven: review?.rating_given ?? null,
    text: review?.text ?? '',
    hasSpoilers: review?.has_spoilers === 1,
    writtenOn: review?.updated_at ?? null,
    isFavorite,
    entries: entries.map(({ status, started_on, finished_on, is_again, rating_given, text }) => ({
      status,
      startedOn: started_on,
      finishedOn: finished_on,
      isAgain: is_again === 1,
      ratingGiven: rating_given,
      text,
    })),
  }
}

export function toLine(row: ShownLineRow, texts = english): ImportLine {
  return {
    ...pick(row, ['id', 'file', 'line']),
    note: row.note === null ? null : texts.translate(textOfNote(row.note)),
    state: row.state ?? row.title_state ?? 'pending',
    name: row.name ?? '',
    titleId: row.title_id,
  }
}
