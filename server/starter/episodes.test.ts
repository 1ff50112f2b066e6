import { expect, test } from 'vitest'
import { partsMax } from '#shared/domain/limits.ts'
import { seasonsOf } from './episodes.ts'
import { readData } from './schema.ts'
import { starterTitles } from './titles.ts'

const daysOf = (slug: string, season: number) =>
  seasonsOf(slug)?.[season - 1]?.parts?.map(({ releaseDate }) => releaseDate)

test('every show of the starter catalogue has its seasons, each with episodes numbered from 1', () => {
  expect(Object.keys(readData('episodes', 'episodes.json').shows).toSorted()).toEqual(
    starterTitles.tvShow.map(({ slug }) => slug).toSorted(),
  )
  for (const { slug, seasonCount } of starterTitles.tvShow) {
    const seasons = seasonsOf(slug)!
    if (seasonCount) expect(seasons, slug).toHaveLength(seasonCount)
    seasons.forEach((season, index) => {
      expect(season.number).toBe(index + 1)
      expect(season.parts!.length).toBeGreaterThan(0)
      expect(season.parts!.length).toBeLessThan(partsMax)
      expect(season.parts!.map(({ number }) => number)).toEqual(season.parts!.map((_, at) => at + 1))
    })
  }
})

test('episodes air no earlier than their show, seasons in their order, and names are as many as episodes', () => {
  const { shows } = readData('episodes', 'episodes.json')
  for (const { slug, releaseDate } of starterTitles.tvShow) {
    const seasons = seasonsOf(slug)!
    const days = seasons.map(({ parts }) => parts!.flatMap(({ releaseDate: day }) => day ?? []).toSorted())
    expect(
      days.flat().every((day) => day >= releaseDate && Date.parse(day) > 0 - 1e12),
      slug,
    ).toBe(true)
    days
      .slice(1)
      .forEach((later, at) => expect(later[0]! > days[at]!.at(-1)!, `${slug} ${at + 2}`).toBe(true))
    // Only the last episode makes sure that all of an ended season count as aired.
    for (const { parts } of seasons) expect(parts!.at(-1)!.releaseDate, slug).not.toBeNull()
    shows[slug]!.names?.forEach((names, at) => {
      if (names.length > 0) expect(names, `${slug} ${at + 1}`).toHaveLength(seasons[at]!.parts!.length)
    })
  }
})

test('a season names the days that follow from its data, and no others', () => {
  expect(daysOf('chernobyl', 1)).toEqual([
    '2019-05-06',
    '2019-05-13',
    '2019-05-20',
    '2019-05-27',
    '2019-06-03',
  ])
  expect(daysOf('black-mirror', 3)).toEqual(Array(6).fill('2016-10-21'))
  expect(daysOf('severance', 1)?.slice(0, 4)).toEqual([
    '2022-02-18',
    '2022-02-18',
    '2022-02-25',
    '2022-03-04',
  ])
  expect(daysOf('breaking-bad', 1)).toEqual(['2008-01-20', null, null, null, null, null, '2008-03-09'])
  expect(daysOf('firefly', 1)?.slice(9)).toEqual(['2002-12-06', null, null, null, '2002-12-13'])
  expect(seasonsOf('breaking-bad')![4]!.parts![13]).toMatchObject({ number: 14, name: 'Ozymandias' })
  expect(seasonsOf('no-such-show')).toBeUndefined()
})
