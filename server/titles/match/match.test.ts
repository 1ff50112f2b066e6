import { expect, test } from 'vitest'
import type { WantedTitle } from '#server/titles/sources/source.ts'
import { aServer, aTitle } from '#server/testing.ts'
import type { Suggestion } from './compare.ts'
import { matchTitles } from './match.ts'

const { db } = await aServer()

const wanted = (name: string, more: Partial<WantedTitle> = {}): WantedTitle => ({
  kind: 'movie',
  name,
  otherNames: [],
  year: null,
  authors: [],
  ids: [],
  ...more,
})
/** Returns the code of the reason, without its values. */
const codeOf = ({ why }: Suggestion) => why.split('\t', 1)[0]
async function aDatedTitle(name: string, year: number): Promise<number> {
  const id = await aTitle(db, 'movie', name)
  await db.updateTable('media').set({ release_year: year }).where('id', '=', id).execute()
  return id
}

test('one call matches many titles: by an id, by name and year, as chosen before, or by none', async () => {
  const [byId, byName, chosen] = [
    await aTitle(db, 'movie', 'Salt Roads'),
    await aDatedTitle('Low Tide', 2021),
    await aTitle(db, 'movie', 'Grey Bells'),
  ]
  await db
    .insertInto('external_ids')
    .values({ source: 'imdb', external_id: 'tt0000603', media_id: byId })
    .execute()
  const own = wanted('The Bells')
  const matches = await matchTitles(
    db,
    [
      wanted('Salt Roads', { ids: [{ source: 'imdb', id: 'tt0000603' }] }),
      wanted('The Low Tide', { year: 2021 }),
      own,
      wanted('Nowhere', { year: 1999 }),
    ],
    new Map([[own, chosen]]),
  )
  expect(matches.map(({ certain }) => certain?.mediaId)).toEqual([byId, byName, chosen, undefined])
  expect(matches.map(({ certain }) => certain && codeOf(certain))).toEqual([
    'byId',
    'byYear',
    'chosenBefore',
    undefined,
  ])
})

test('what is not certain is suggested: two of one name and year, another year, an id of another title', async () => {
  const twins = [await aDatedTitle('Tin Harbour', 2001), await aDatedTitle('Tin Harbour', 2001)]
  const other = await aTitle(db, 'movie', 'Night Ferry')
  await db
    .insertInto('external_ids')
    .values({ source: 'imdb', external_id: 'tt0000604', media_id: other })
    .execute()
  const [ofTwins, ofYear, ofId] = await matchTitles(db, [
    wanted('Tin Harbour', { year: 2001 }),
    wanted('Tin Harbour', { year: 2002 }),
    wanted('Salt', { ids: [{ source: 'imdb', id: 'tt0000604' }] }),
  ])
  expect(ofTwins!.certain).toBeUndefined()
  expect(ofTwins!.suggestions.map(({ mediaId }) => mediaId)).toEqual(twins)
  expect(ofYear!.suggestions.map(codeOf)).toEqual(['yearApart', 'yearApart'])
  expect(ofId!.certain).toBeUndefined()
  expect(ofId!.suggestions.map((one) => [one.mediaId, codeOf(one)])).toEqual([[other, 'idOfOther']])
})
