import { z } from 'zod'
import { errorRefs } from './errors.ts'
import * as limits from '#shared/domain/limits.ts'
import { type Change, merge } from '#shared/domain/merge.ts'
import { messages } from '#shared/texts/messages.ts'
import { dayMs } from '#shared/domain/days.ts'
import { airedEpisode } from './progress.ts'
import { reviewedPart } from './reviews.ts'
import { count, cursor, id, image, limit, message, nextCursor, person, time, titleCard } from './scalars.ts'

export const notificationTypeNames = [
  'follow',
  'followRequest',
  'followAccepted',
  'comment',
  'like',
  'listInvite',
  'listTitles',
  'importDone',
  'decision',
  'report',
  'invited',
  'case',
  'newSeason',
] as const
export type NotificationType = (typeof notificationTypeNames)[number]

const notificationTargets = ['review', 'list', 'import', 'decision', 'report', 'case', 'season'] as const
export type NotificationTarget = (typeof notificationTargets)[number]

const emailChoices = ['off', 'daily'] as const

/** Unless the member decides otherwise; other types are rare, or have an email of their own. */
const mailedTypes: readonly NotificationType[] = [
  'follow',
  'followRequest',
  'followAccepted',
  'comment',
  'listInvite',
  'invited',
  'case',
  'newSeason',
]

const choice = z
  .object({
    inApp: z.boolean().meta({ description: 'Whether there are notifications of this type.', example: true }),
    email: z.enum(emailChoices).meta({
      description: 'Whether unread ones are in the daily email. Without effect if `inApp` is false.',
      example: 'daily',
    }),
  })
  .meta({ id: 'NotificationChoice', description: 'What a member wants to be notified of, and how.' })
type NotificationChoice = z.infer<typeof choice>

const digestHour = z.int().min(0).max(23).meta({
  description: 'The hour of the daily email, in the time zone of the member.',
  example: 8,
})
const timeZone = z
  .string()
  .min(1)
  .max(limits.timeZoneMax)
  .refine(isTimeZone, messages.timeZoneInvalid)
  .meta({ description: 'An IANA time zone.', example: 'Europe/Berlin' })

function isTimeZone(name: string): boolean {
  // An offset has a format too, but is no name, and can be later than any place.
  if (/^[+-]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

const choices = Object.fromEntries(notificationTypeNames.map((type) => [type, choice])) as Record<
  NotificationType,
  typeof choice
>
const settings = z
  .object({ ...choices, digestHour, timeZone })
  .meta({ id: 'NotificationSettings', description: 'The choices by type, and when the daily email is sent.' })
export type NotificationSettings = z.infer<typeof settings>

const defaultSettings: NotificationSettings = {
  ...(Object.fromEntries(
    notificationTypeNames.map((type) => [
      type,
      { inApp: true, email: mailedTypes.includes(type) ? 'daily' : 'off' },
    ]),
  ) as Record<NotificationType, NotificationChoice>),
  digestHour: 8,
  timeZone: 'UTC',
}

/** The defaults with the member’s changes, which are stored as JSON. */
export function settingsFrom(stored: string): NotificationSettings {
  return merge(defaultSettings, JSON.parse(stored) as SettingsChange)
}

export type SettingsChange = Change<NotificationSettings>

const quarterMs = 15 * 60_000

/** A clock takes 100 µs to create, and 1 µs to read. */
const clocks = new Map<string, Intl.DateTimeFormat>()
const clocksMax = 100

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    if (clocks.size >= clocksMax) clocks.clear()
    clocks.set(timeZone, clock)
  }
  return clock
}

/** The next time that a clock in the member’s time zone shows the hour. */
export function nextDigest(
  { digestHour, timeZone }: Pick<NotificationSettings, 'digestHour' | 'timeZone'>,
  now: Date,
): Date {
  const clock = clockOf(timeZone)
  const wanted = `${String(digestHour).padStart(2, '0')}:00`
  // Offsets are multiples of a quarter of an hour.
  const first = Math.floor(now.getTime() / quarterMs) * quarterMs + quarterMs
  const [hour, minute] = clock.format(first).split(':').map(Number)
  const minutes = (digestHour * 60 - hour! * 60 - minute! + 24 * 60) % (24 * 60)
  // Unless the clock is changed until then.
  const usual = first + minutes * 60_000
  if (clock.format(usual) === wanted) return new Date(usual)
  for (let time = first; time <= first + dayMs; time += quarterMs)
    if (clock.format(time) === wanted) return new Date(time)
  // The clock skips the hour tomorrow.
  return new Date(now.getTime() + dayMs)
}

const target = z
  .object({
    type: z.enum(notificationTargets),
    id,
    isMine: z.boolean().meta({ description: 'Whether the review or the list is the caller’s.' }),
    title: titleCard.nullable().meta({ description: 'The title of a review or season; otherwise null.' }),
    about: reviewedPart.nullable().meta({
      description: 'The season or the episode of a review of one; otherwise null.',
      example: null,
    }),
    name: z.string().nullable().meta({
      description:
        'The name of a list, what an import has done (`Letterboxd: 9 titles imported`), or what a decision is about (`your review of Dune`); otherwise null.',
      example: null,
    }),
    text: z
      .string()
      .nullable()
      .meta({
        description: `The beginning of a review, up to ${limits.snippetMax} characters; null if it is a rating, or a spoiler of somebody else.`,
        example: 'Even better the second time.',
      }),
    imageUrl: image,
    season: z
      .object({
        number: count.meta({ example: 2 }),
        next: airedEpisode.nullable().meta({
          description: 'The first episode of the season that the caller has not watched.',
        }),
      })
      .nullable()
      .meta({
        description: 'A new season of a show of which the caller has watched all others; otherwise null.',
        example: null,
      }),
  })
  .meta({ id: 'NotificationTarget', description: 'What a notification is about.' })

const notification = z
  .object({
    id,
    type: z.enum(notificationTypeNames),
    actors: z.array(person).meta({
      description: `Who did it: the last ones first, at most ${limits.actorsShown}. Empty for what the server did.`,
    }),
    actorCount: count.meta({ description: 'How many members did it on that day.', example: 1 }),
    target: target.nullable().meta({ description: 'Null if it is about the actors only.' }),
    at: time.meta({ description: 'The time of the last event, unique among the caller’s notifications.' }),
    isRead: z.boolean(),
  })
  .meta({ id: 'Notification', description: 'What happened on one day, of one type and about one target.' })
export type Notification = z.infer<typeof notification>

const unreadCount = z
  .int()
  .min(0)
  .max(limits.unreadMax)
  .meta({
    description: `The number of unread notifications, at most ${limits.unreadMax}.`,
    example: 3,
  })

export const notificationsCursor = z.tuple([z.literal('notifications'), z.string().max(limits.timeMax)])
export const listNotifications = {
  input: z.object({ cursor, limit: limit(limits.listPageSize) }),
  output: z.object({
    notifications: z.array(notification),
    nextCursor,
    upTo: time.nullable().meta({
      description: 'Marks all of this page as read, also what is left out; null if there are none.',
    }),
    unreadCount,
  }),
}
export const countUnread = { output: z.object({ unreadCount }) }
export const readNotifications = {
  input: z.object({
    upTo: z.iso
      .datetime()
      .max(limits.timeMax)
      .meta({ description: 'The `at` of the newest one that was read.', example: time.meta()?.example }),
  }),
  output: z.object({ unreadCount }),
}
export const notificationSettings = { output: settings }
export const changeNotificationSettings = {
  input: settings
    .partial()
    .extend(
      Object.fromEntries(
        notificationTypeNames.map((type) => [type, choice.partial().optional()]),
      ) as unknown as Record<NotificationType, z.ZodOptional<ReturnType<typeof choice.partial>>>,
    ),
  output: settings,
}
export const unsubscribe = {
  input: z.object({
    token: z.string().min(1).max(limits.unsubscribeTokenMax).meta({
      description: 'From the link of a daily email.',
      examples: [],
    }),
  }),
  output: message,
}

const inboxEvent = z
  .object({ unreadCount })
  .meta({ id: 'NotificationEvent', description: 'The notifications of the caller have changed.' })
export type InboxEvent = z.infer<typeof inboxEvent>

/** A route, because a procedure with a REST path responds with JSON. */
export const notificationPaths = {
  '/notifications/live': {
    get: {
      operationId: 'streamNotifications',
      summary: 'Follow the number of unread notifications',
      description:
        'A stream of server-sent events. The `data` of each is a `NotificationEvent` as JSON. The first event comes immediately, the others when something has changed, at most one a second. ' +
        'Lines that begin with a colon keep the connection open. The stream ends after ten minutes: open it again.',
      tags: ['Notifications'],
      security: [{ bearer: [] }, { accessToken: [] }],
      'x-required-scope': 'read',
      responses: {
        200: {
          description: 'The stream.',
          content: { 'text/event-stream': { schema: inboxEvent } },
        },
        ...errorRefs([400, 401, 403, 429, 500, 503]),
      },
    },
  },
}
