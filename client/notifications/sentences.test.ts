import { expect, test } from 'vitest'
import { isolatedParts } from '#shared/domain/message.ts'
import { namesOf, sentenceOf } from './sentences.ts'
import { unreadSentence } from './unread-sentence.ts'

const people = ['ada', 'ben', 'cleo'].map((username, at) => ({ id: at + 1, username, profilePicture: null }))

test.each([
  [1, 1, 'ada'],
  [2, 2, 'ada and ben'],
  [3, 3, 'ada, ben and cleo'],
  [3, 4, 'ada, ben and 2 others'],
  [1, 2, 'ada and 1 other'],
  [3, 40, 'ada, ben and 38 others'],
  [0, 0, ''],
])('of %i shown and %i actors, the names are “%3$s”', (shown, count, expected) => {
  expect(namesOf(people.slice(0, shown), count)).toBe(expected)
})

test('a sentence agrees with the number of actors, and says whose review it is', () => {
  const title = { id: 1, kind: 'movie' as const, name: 'Dune', imageUrl: null, releaseYear: 2021 }
  const part = { seasonId: 3, episodeId: 4, season: 2, number: 3, name: 'The Ferry' }
  const target = {
    type: 'review' as const,
    id: 1,
    isMine: true,
    title,
    about: null as typeof part | null,
    name: null,
    text: null,
    imageUrl: null,
    season: null,
  }
  const say = (type: 'like' | 'comment', count: number, isMine = true, about: typeof part | null = null) =>
    isolatedParts(
      sentenceOf({
        type,
        actors: people.slice(0, count),
        actorCount: count,
        target: { ...target, isMine, about },
      }),
    ).join('')
  expect(say('like', 1)).toBe('ada likes your review of Dune')
  expect(say('like', 2)).toBe('ada and ben like your review of Dune')
  expect(say('like', 1, true, part)).toBe('ada likes your review of Dune · S2 E3 The Ferry')
  expect(say('comment', 1, false)).toBe('ada also commented on a review of Dune')
})

test('the bell says how many are unread, up to 99', () => {
  expect([0, 1, 99, 100].map(unreadSentence)).toEqual([
    'Notifications, none unread',
    'Notifications, 1 unread',
    'Notifications, 99 unread',
    'Notifications, 100 or more unread',
  ])
})
