import { afterAll, describe, expect, test } from 'vitest'
import { findMessages } from '#scripts/dev/messages/all.ts'
import { someEpisodes } from '#scripts/testing/episodes.ts'
import { buildApp } from '#server/app.ts'
import type { Member } from '#server/calls/context.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { readCard } from '#server/share/card.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import { english } from '#server/text/translator.ts'
import { messages } from '#shared/texts/messages.ts'

const server = await aServer({ RATE_LIMITS: 'off', PUBLIC_URL: 'https://medley.example' })
const { db, as, services } = server
const app = await buildApp(services, { web: noWeb })
afterAll(() => app.close())

/** Reviewed by the author: the show, its first season and the second episode of that. */
async function aReviewedShow() {
  const [author, reader] = [await aMember(db), await aMember(db)]
  const showId = await aTitle(db, 'tvShow', 'The Harbour')
  const episodes = await someEpisodes(db, showId)
  const seasonId = (await as().progress.seasons({ id: showId })).seasons[1]!.id
  const episodeId = episodes[2]!
  const save = async (of: object) =>
    (await as(author).reviews.save({ ...of, rating: 4, text: 'The twist.' })).review
  const [ofShow, ofSeason, ofEpisode] = [
    await save({ tvShowId: showId }),
    await save({ seasonId }),
    await save({ episodeId }),
  ]
  return { author, reader, showId, seasonId, episodeId, ofShow, ofSeason, ofEpisode }
}

const aboutSeason = { season: 1, number: null, name: 'Season 1' }
const aboutEpisode = { season: 1, number: 2, name: 'Part 2' }

async function aModerator(): Promise<Member> {
  const member = await aMember(db)
  await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', member.id).execute()
  return { ...member, role: 'moderator' }
}

describe('a review of a season or an episode is named with it', () => {
  test('in notifications, which have none of a withheld text', async () => {
    const { author, reader, seasonId, episodeId, ofShow, ofSeason, ofEpisode } = await aReviewedShow()
    const third = await aMember(db)
    for (const { id } of [ofShow, ofSeason, ofEpisode]) {
      await as(reader).reviews.react({ id, reaction: 'like' })
      await as(reader).reviews.addComment({ id, text: 'So it is.' })
      await as(third).reviews.addComment({ id, text: 'Is it?' })
    }
    const { notifications } = await as(author).notifications.list({})
    const aboutOf = (id: number) =>
      new Set(notifications.filter(({ target }) => target?.id === id).map(({ target }) => target!.about))
    expect([...aboutOf(ofShow.id)]).toEqual([null])
    for (const about of aboutOf(ofSeason.id))
      expect(about).toEqual({ seasonId, episodeId: null, ...aboutSeason })
    for (const about of aboutOf(ofEpisode.id)) expect(about).toEqual({ seasonId, episodeId, ...aboutEpisode })
    expect(notifications).toHaveLength(6)

    await as(author).reviews.react({ id: ofEpisode.id, reaction: 'like' })
    expect(JSON.stringify((await as(reader).notifications.list({})).notifications)).not.toContain('twist')
  })

  test('in cases, decisions and what their author is told, also a comment, and after the case was opened', async () => {
    const { author, reader, seasonId, episodeId, ofShow, ofSeason, ofEpisode } = await aReviewedShow()
    const moderator = await aModerator()
    const { comment } = await as(reader).reviews.addComment({ id: ofSeason.id, text: 'Buy my things.' })
    const snapshotOf = async (type: 'review' | 'comment', id: number) => {
      await as(await aMember(db)).moderation.report({ target: { type, id }, category: 'spam' })
      const { id: caseId, snapshot } = (await as(moderator).moderation.open({ target: { type, id } })).case
      return { caseId, snapshot }
    }
    expect((await snapshotOf('review', ofShow.id)).snapshot.about).toBeNull()
    expect((await snapshotOf('comment', comment.id)).snapshot).toMatchObject({
      title: { name: 'The Harbour' },
      about: { seasonId, episodeId: null, ...aboutSeason },
    })
    const { caseId, snapshot } = await snapshotOf('review', ofEpisode.id)
    expect(snapshot.about).toEqual({ seasonId, episodeId, ...aboutEpisode })
    expect((await as(moderator).moderation.list({})).cases.find(({ id }) => id === caseId)).toMatchObject({
      snapshot: { about: { episodeId } },
    })
    const { decisionId } = await as(moderator).moderation.decide({
      id: caseId,
      action: 'remove',
      reason: 'Why.',
    })
    const { decision } = await as(author).moderation.myDecision({ id: decisionId })
    expect(decision).toMatchObject({ title: { name: 'The Harbour' }, about: { episodeId, ...aboutEpisode } })
    const { notifications } = await as(author).notifications.list({})
    expect(notifications.find(({ type }) => type === 'decision')!.target!.name).toBe(
      'your review of The Harbour · S1 E2 Part 2',
    )

    // Of a case from before reviews of parts.
    const old = { text: 'Old.', rating: 4, hasSpoilers: false, imageUrl: null, title: null, writtenAt: null }
    await db
      .updateTable('cases')
      .set({ snapshot: JSON.stringify(old) })
      .where('id', '=', caseId)
      .execute()
    expect((await as(author).moderation.myDecision({ id: decisionId })).decision.about).toBeNull()
    expect((await as(moderator).moderation.byId({ id: caseId })).case.snapshot.about).toBeNull()
  })

  test('in share pictures and in oEmbed, whose links lead to the episode, and which have none of a withheld text', async () => {
    const { author, showId, episodeId, ofShow, ofSeason, ofEpisode } = await aReviewedShow()
    const cardOf = (id: number) => readCard(as(null), db, { subject: 'reviews', id }, english)
    expect(await cardOf(ofShow.id)).toMatchObject({ heading: 'The Harbour', text: '“The twist.”' })
    expect(await cardOf(ofSeason.id)).toMatchObject({ heading: 'The Harbour · Season 1', text: '' })
    expect(await cardOf(ofEpisode.id)).toMatchObject({ heading: 'The Harbour · S1 E2 Part 2', text: '' })

    const embed = (path: string) =>
      app.inject(`/oembed?${new URLSearchParams({ url: `https://medley.example${path}` }).toString()}`)
    const episode = `/episodes/${episodeId}`
    expect((await embed(episode)).json()).toMatchObject({
      type: 'link',
      title: 'The Harbour · S1 E2 Part 2',
    })
    for (const path of [`/tv-shows/${showId}`, episode]) {
      const body = (await embed(`${path}?review=${ofEpisode.id}`)).json<{ title: string; html: string }>()
      expect(body.title).toBe(`${author.username} on The Harbour · S1 E2 Part 2`)
      expect(body.html).toContain(`href="https://medley.example${episode}?review=${ofEpisode.id}"`)
      expect(body.html).toContain(messages.reviewIsWithheld)
      expect(body.html).not.toContain('twist')
    }
    expect((await embed(`/tv-shows/${showId}?review=${ofSeason.id}`)).json()).toMatchObject({
      title: `${author.username} on The Harbour · Season 1`,
    })
    for (const path of [
      `${episode}?review=${ofShow.id}`,
      `${episode}?review=${ofSeason.id}`,
      `/episodes/${episodeId + 100_000}`,
    ])
      expect((await embed(path)).statusCode).toBe(404)
  })

  test('by the same texts on the server and on screens', async () => {
    const textsOf = async (...files: string[]) =>
      new Set((await findMessages(process.cwd(), files)).messages.map(({ source }) => source))
    const [onServer, onScreens] = [
      await textsOf('server/text/part-name.ts'),
      await textsOf('client/titles/part-name.ts', 'client/titles/episode-code.ts'),
    ]
    expect(onServer).toEqual(onScreens)
    expect(onServer.size).toBe(4)
  })
})
