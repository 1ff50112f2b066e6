import { withPart } from '#client/titles/part-name.ts'
import type { NotificationType } from '#shared/contracts/notifications.ts'
import { isolated, plural, t } from '#shared/domain/message.ts'
import { allOf } from '#shared/texts/formats.ts'
import type { Notification } from './hooks.ts'

type About = Pick<Notification, 'type' | 'actors' | 'actorCount' | 'target'>

/** Names are isolated (`isolatedParts`). */
export function sentenceOf({ type, actors, actorCount: n, target }: About): string {
  const names = namesOf(actors, n)
  const who = isolated(names)
  const isMine = target?.isMine === true
  const name = target?.title ? withPart(target.title.name, target.about) : (target?.name ?? '')
  const what = isolated(name)
  const sentences: Record<NotificationType, () => string> = {
    follow: () => plural(n, { one: `${who} follows you`, other: `${who} follow you` }),
    followRequest: () => plural(n, { one: `${who} asks to follow you`, other: `${who} ask to follow you` }),
    followAccepted: () =>
      plural(n, {
        one: `${who} accepted your request to follow them`,
        other: `${who} accepted your request to follow each of them`,
      }),
    comment: () =>
      isMine
        ? plural(n, {
            one: `${who} commented on your review of ${what}`,
            other: `${who} commented on your review of ${what}`,
          })
        : plural(n, {
            one: `${who} also commented on a review of ${what}`,
            other: `${who} also commented on a review of ${what}`,
          }),
    like: () =>
      target?.type === 'list'
        ? plural(n, { one: `${who} likes your list ${what}`, other: `${who} like your list ${what}` })
        : plural(n, {
            one: `${who} likes your review of ${what}`,
            other: `${who} like your review of ${what}`,
          }),
    listInvite: () =>
      plural(n, { one: `${who} invites you to edit ${what}`, other: `${who} invite you to edit ${what}` }),
    listTitles: () =>
      // Without a name if the reader does not see who edits the list.
      names === ''
        ? t`There are new titles in ${what}`
        : plural(n, { one: `${who} added titles to ${what}`, other: `${who} added titles to ${what}` }),
    importDone: () => target?.name ?? t`An import that you have deleted is done`,
    decision: () => (target?.name ? t`Decision about ${target.name}` : t`Decision about your account`),
    report: () => t`Your report has been handled`,
    invited: () =>
      plural(n, { one: `${who} joined with your invite`, other: `${who} joined with your invite` }),
    case: () => t`A report waits for a moderator`,
    newSeason: () => t`New season of ${what}: season ${target?.season?.number ?? 0}`,
  }
  return sentences[type]()
}

export function namesOf(actors: About['actors'], count: number): string {
  const names = actors.map(({ username }) => username).slice(0, count > actors.length ? 2 : undefined)
  const others = count - names.length
  return allOf(others > 0 ? [...names, plural(others, { one: '# other', other: '# others' })] : names)
}
