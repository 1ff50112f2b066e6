import type { NotificationType } from '#shared/contracts/notifications.ts'
import { allOf, counted } from '#shared/texts/formats.ts'
import type { Notification } from './hooks.ts'

type About = Pick<Notification, 'type' | 'actors' | 'actorCount' | 'target'>

export function sentenceOf({ type, actors, actorCount, target }: About): {
  who: string
  verb: string
  what: string
} {
  const who = namesOf(actors, actorCount)
  const isOne = actorCount === 1
  const own = target?.isMine ? 'your' : 'a'
  const title = target?.title?.name ?? target?.name ?? ''
  const says = (verb: string, what = '') => ({ who, verb, what })
  const verbs: Record<NotificationType, () => ReturnType<typeof says>> = {
    follow: () => says(isOne ? 'follows you' : 'follow you'),
    followRequest: () => says(isOne ? 'asks to follow you' : 'ask to follow you'),
    followAccepted: () => says(`accepted your request to follow ${isOne ? 'them' : 'each of them'}`),
    comment: () => says(`${target?.isMine ? 'commented' : 'also commented'} on ${own} review of`, title),
    like: () =>
      says(`${isOne ? 'likes' : 'like'} your ${target?.type === 'list' ? 'list' : 'review of'}`, title),
    listInvite: () => says(`${isOne ? 'invites' : 'invite'} you to edit`, title),
    // Without a name if the reader does not see who edits the list.
    listTitles: () => says(who === '' ? 'There are new titles in' : 'added titles to', title),
    importDone: () => ({
      who: '',
      verb: target?.name ?? 'An import that you have deleted is done',
      what: '',
    }),
    decision: () => ({ who: '', verb: `Decision about ${target?.name ?? 'your account'}`, what: '' }),
    report: () => ({ who: '', verb: 'Your report has been handled', what: '' }),
    invited: () => says('joined with your invite'),
    case: () => ({ who: '', verb: 'A report waits for a moderator', what: '' }),
  }
  return verbs[type]()
}

export function namesOf(actors: About['actors'], count: number): string {
  const names = actors.map(({ username }) => username).slice(0, count > actors.length ? 2 : undefined)
  const others = count - names.length
  return allOf(others > 0 ? [...names, counted(others, 'other')] : names)
}
