import type { NotificationType } from '#shared/contracts/notifications.ts'
import { appealDays } from '#shared/domain/limits.ts'
import { dayText } from '#shared/texts/formats.ts'
import type { MailContent, MailPayload, MailText, SignInChange } from '#server/members/tables.ts'
import type { Translator } from '#server/text/translator.ts'
import type { DecisionAction } from '#shared/domain/moderation.ts'
import { linkHours } from './rules.ts'

type Sender = { site: string; publicUrl: string; in: Translator }
type Content<Name, One = MailContent> = One extends { mail: infer Names }
  ? Name extends Names
    ? One
    : never
  : never

/** In characters; the earliest are left out. */
const joinedTextMax = 10_000
const textSeparator = '\n* * *\n\n'

/** Notices that waited are one email, with the subject of the last one. Earlier versions queued the text itself. */
export function renderMail(payload: MailPayload, sender: Sender): MailText {
  const contents = 'joined' in payload ? payload.joined : [payload]
  const rendered = contents.map((content) =>
    'mail' in content ? mailTexts[content.mail]({ ...content, ...sender } as never) : content,
  )
  const texts = [...new Set(rendered.flatMap(({ text }) => text.split(textSeparator)))]
  while (texts.length > 1 && texts.join(textSeparator).length > joinedTextMax) texts.shift()
  return Object.assign({}, ...rendered, { text: texts.join(textSeparator) }) as MailText
}

/** Of its links, which tell whom an email to a new address is for. */
export function tokensOf(payload: MailPayload): string[] {
  const contents = 'joined' in payload ? payload.joined : [payload]
  return contents.flatMap((content) => ('token' in content ? [content.token] : []))
}

/** Emails to an address that may be a stranger’s contain no text that a user chose, because a username can look like a URL. */
export const mailTexts: { [Name in MailContent['mail']]: (about: Sender & Content<Name>) => MailText } = {
  verify: ({ site, publicUrl, token, in: { t, plural } }) => ({
    subject: t`Verify your email for ${site}`,
    text: paragraphs(
      t`Welcome to ${site}!`,
      t`Please open this link to verify your email; it works once, for ${plural(linkHours.verify, { one: 'an hour', other: '# hours' })}:`,
      `${publicUrl}/verify-email?token=${token}`,
      t`If you did not create an account, ignore this email: the account cannot be used without this link.`,
    ),
  }),
  'change-email': ({ site, publicUrl, token, in: { t, plural } }) => ({
    subject: t`Verify your new email for ${site}`,
    text: paragraphs(
      t`Someone asked to use this address for their ${site} account.`,
      t`If that was you, please open this link; it works once, for ${plural(linkHours['change-email'], { one: 'an hour', other: '# hours' })}:`,
      `${publicUrl}/verify-email?token=${token}`,
      t`If not, ignore this email: nothing changes without this link.`,
    ),
  }),
  reset: ({ site, publicUrl, token, in: { t, plural } }) => ({
    subject: t`Set a new password for ${site}`,
    text: paragraphs(
      t`Hello,`,
      t`You can set a new password for your ${site} account here; the link works once, for ${plural(linkHours.reset, { one: 'an hour', other: '# hours' })}:`,
      `${publicUrl}/reset-password?token=${token}`,
      t`If you did not ask for this, ignore this email: your password stays the same.`,
    ),
  }),
  'keep-account': ({ site, publicUrl, token, expiresAt, in: { t, locale } }) => ({
    subject: t`Your ${site} account will be deleted`,
    text: paragraphs(
      t`Hello,`,
      t`Your ${site} account will be deleted on ${dayText(expiresAt, locale)}. Until then nothing changes, and you can download your data in the settings.`,
      t`To keep the account, open this link before that day:`,
      `${publicUrl}/keep-account?token=${token}`,
      t`If you did not ask for this, keep the account with the link, then set a new password:`,
      `${publicUrl}/forgot-password`,
    ),
  }),
  'email-change': ({ site, publicUrl, in: { t } }) => ({
    subject: t`Your ${site} email is about to change`,
    text: paragraphs(
      t`Hello,`,
      t`A new email address was requested for your ${site} account. This one stays in use until the new one is verified.`,
      t`If this was not you, set a new password now: that cancels the change and ends your other sessions.`,
      `${publicUrl}/login`,
    ),
  }),
  'access-token': ({ site, publicUrl, in: { t } }) => ({
    subject: t`A new access token for your ${site} account`,
    text: paragraphs(
      t`Hello,`,
      t`An access token was created for your ${site} account. Anyone with the token can use your account within its scopes.`,
      t`You can see and revoke your access tokens here:`,
      `${publicUrl}/settings?tab=account`,
      t`If this was not you, set a new password now: that revokes all access tokens and ends your other sessions.`,
    ),
  }),
  'sign-in': ({ site, publicUrl, change, in: translator }) => {
    const { t } = translator
    return {
      subject: t`A change of how you sign in to ${site}`,
      text: paragraphs(
        t`Hello,`,
        changeWords[change](translator),
        t`You can see and change how you sign in here:`,
        `${publicUrl}/settings?tab=account`,
        t`If this was not you, set a new password now, which ends your other sessions, and then look there again:`,
        `${publicUrl}/forgot-password`,
      ),
    }
  },
  webhook: ({ site, publicUrl, in: { t } }) => ({
    subject: t`A new webhook for your ${site} account`,
    text: paragraphs(
      t`Hello,`,
      t`A webhook was created for your ${site} account, or has a new URL. It receives everything that you change, including private notes.`,
      t`You can see and remove your webhooks here:`,
      `${publicUrl}/settings?tab=account`,
      t`If this was not you, set a new password now: that disables all webhooks and ends your other sessions.`,
    ),
  }),
  verified: ({ site, publicUrl, in: { t } }) => ({
    subject: t`Your email for ${site} is verified`,
    text: paragraphs(
      t`Hello,`,
      t`Someone asked for a new link to verify this address for ${site}. It is verified already, so you need no link. You can log in here:`,
      `${publicUrl}/login`,
      t`If you have forgotten your password, set a new one:`,
      `${publicUrl}/forgot-password`,
    ),
  }),
  pending: ({ site, in: { t } }) => ({
    subject: t`Your email for ${site} is verified`,
    text: paragraphs(
      t`Hello,`,
      t`Someone asked for a new link to verify this address for ${site}. It is verified already, so you need no link. A moderator reviews new accounts; we will email you.`,
    ),
  }),
  approval: ({ site, publicUrl, in: { t } }) => ({
    subject: t`Welcome to ${site}`,
    text: paragraphs(
      t`Hello,`,
      t`A moderator has approved your account at ${site}. You can log in now:`,
      `${publicUrl}/login`,
    ),
  }),
  rejection: ({ site, in: { t } }) => ({
    subject: t`Your account at ${site}`,
    text: paragraphs(
      t`Hello,`,
      t`A moderator has not approved your account at ${site}. The account and all that you sent with it were removed.`,
    ),
  }),
  test: ({ site, publicUrl, in: { t } }) => ({
    subject: t`A test email from ${site}`,
    text: paragraphs(
      t`Hello,`,
      t`Emails of ${site} arrive here. An admin asked for this one.`,
      `${publicUrl}/admin`,
    ),
  }),
  decision: ({ site, publicUrl, decisionId, action, rules, until, in: translator }) => {
    const { t, plural, locale } = translator
    const sentences = [
      t`The moderators of ${site} have made a decision.`,
      decidedWords[action](translator),
      ...(until === null ? [] : [t`This ends on ${dayText(until, locale)}.`]),
    ]
    return {
      subject: t`A decision about your account at ${site}`,
      text: paragraphs(
        t`Hello,`,
        sentences.join(' '),
        ...(rules.length === 0
          ? []
          : [`${t`Rules of this site:`}\n${rules.map((rule) => `- ${rule}`).join('\n')}`]),
        t`The reason, and how to appeal within ${plural(appealDays, { one: '# day', other: '# days' })}:`,
        `${publicUrl}/decisions/${decisionId}`,
      ),
    }
  },
  undone: ({ site, publicUrl, decisionId, in: { t } }) => ({
    subject: t`A decision about your account at ${site} was undone`,
    text: paragraphs(
      t`Hello,`,
      t`The moderators of ${site} have undone a decision about your account.`,
      `${publicUrl}/decisions/${decisionId}`,
    ),
  }),
  answered: ({ site, publicUrl, decisionId, in: { t } }) => ({
    subject: t`Your appeal at ${site} was answered`,
    text: paragraphs(
      t`Hello,`,
      t`The moderators of ${site} have answered your appeal.`,
      `${publicUrl}/decisions/${decisionId}`,
    ),
  }),
  report: ({ site, publicUrl, isRemoved, in: { t } }) => ({
    subject: t`Your report at ${site} was handled`,
    text: paragraphs(
      t`Hello,`,
      isRemoved
        ? t`Thank you for your report. A moderator has looked at it and removed what you reported.`
        : t`Thank you for your report. A moderator has looked at it.`,
      t`Your reports:`,
      `${publicUrl}/settings?tab=account`,
    ),
  }),
  digest: ({ site, publicUrl, token, lines, in: translator }) => {
    const { t } = translator
    return {
      subject: t`What is new for you at ${site}`,
      text: paragraphs(
        t`Hello,`,
        t`since you last looked:`,
        lines
          .map(({ type, count, actors }) => `- ${digestWords[type](translator, count, actors)}`)
          .join('\n'),
        `${publicUrl}/notifications`,
        t`You get this email at most once a day, and only if something is unread. You can choose what it contains here:`,
        `${publicUrl}/settings?tab=notifications`,
        t`This link ends it:`,
        unsubscribePage(publicUrl, token),
      ),
      unsubscribeUrl: unsubscribePage(publicUrl, token),
    }
  },
}

type Words = (translator: Translator) => string

const changeWords: Record<SignInChange, Words> = {
  'factor-on': ({ t }) => t`Logins to your account now ask for a code of your authenticator app.`,
  'factor-off': ({ t }) => t`Logins to your account no longer ask for a code of an authenticator app.`,
  'codes-renewed': ({ t }) => t`Your account has new recovery codes. Earlier ones are not valid any more.`,
  'passkey-added': ({ t }) => t`Your account has a new passkey, which logs in without the password.`,
  'passkey-removed': ({ t }) => t`A passkey of your account was removed. It no longer logs in.`,
  'provider-linked': ({ t }) =>
    t`A login with another service was linked to your account. It logs in without the password.`,
  'provider-unlinked': ({ t }) =>
    t`A login with another service was removed from your account. It no longer logs in.`,
  'link-used': ({ t }) => t`Somebody logged in to your account with a link of the people who run this site.`,
  'code-used': ({ t }) =>
    t`A recovery code of your account was used in place of a code of your authenticator app.`,
}

/** Without the reason, which quotes strangers. */
const decidedWords: Record<Exclude<DecisionAction, 'dismiss'>, Words> = {
  markSpoiler: ({ t }) => t`A text of yours was marked as a spoiler.`,
  remove: ({ t }) => t`Something that you wrote or added was removed.`,
  warn: ({ t }) => t`You received a warning, which you will be asked to confirm at your next visit.`,
  freeze: ({ t }) => t`Your account is frozen: you can read, but not write.`,
  suspend: ({ t }) => t`Your account is suspended: nobody else sees it or what you wrote.`,
  removeAll: ({ t }) => t`Your account is suspended, and what you wrote was removed.`,
}

/** Names nobody, and contains nothing that a member wrote. */
const digestWords: Record<
  NotificationType,
  (translator: Translator, count: number, actors: number) => string
> = {
  follow: ({ t, plural }, _count, actors) =>
    t`${plural(actors, { one: 'You have # new follower.', other: 'You have # new followers.' })}`,
  followRequest: ({ t, plural }, _count, actors) =>
    t`${plural(actors, { one: '# member asks to follow you.', other: '# members ask to follow you.' })}`,
  followAccepted: ({ t, plural }, _count, actors) =>
    t`${plural(actors, { one: '# member accepted your request to follow them.', other: '# members accepted your request to follow them.' })}`,
  comment: ({ t, plural }, count) =>
    t`${plural(count, { one: 'There are new comments on # review.', other: 'There are new comments on # reviews.' })}`,
  like: ({ t, plural }, count) =>
    t`${plural(count, { one: 'Members like # review or list of yours.', other: 'Members like # reviews and lists of yours.' })}`,
  listInvite: ({ t, plural }, count) =>
    t`${plural(count, { one: 'You are invited to edit # list.', other: 'You are invited to edit # lists.' })}`,
  listTitles: ({ t, plural }, count) =>
    t`${plural(count, { one: 'There are new titles in # list that you follow.', other: 'There are new titles in # lists that you follow.' })}`,
  importDone: ({ t, plural }, count) =>
    t`${plural(count, { one: '# import of yours is done.', other: '# imports of yours are done.' })}`,
  decision: ({ t }) => t`There is a decision of the moderators about you, or about what you wrote.`,
  report: ({ t, plural }, count) =>
    t`${plural(count, { one: '# report of yours has been handled.', other: '# reports of yours have been handled.' })}`,
  invited: ({ t, plural }, _count, actors) =>
    t`${plural(actors, { one: '# member joined with your invite.', other: '# members joined with your invite.' })}`,
  newSeason: ({ t, plural }, count) =>
    t`${plural(count, { one: '# show that you watched has a new season.', other: '# shows that you watched have new seasons.' })}`,
  case: ({ t, plural }, count) =>
    t`${plural(count, { one: '# case waits for moderators.', other: '# cases wait for moderators.' })}`,
}

function paragraphs(...texts: string[]): string {
  return `${texts.join('\n\n')}\n`
}

function unsubscribePage(publicUrl: string, token: string): string {
  return `${publicUrl}/unsubscribe?token=${token}`
}
