import type { NotificationType } from '#shared/contracts/notifications.ts'
import { appealDays } from '#shared/domain/limits.ts'
import { counted, dayText, plural } from '#shared/texts/formats.ts'
import type { MailContent, MailPayload, MailText, LinkPurpose, SignInChange } from '#server/members/tables.ts'
import { linkHours } from './rules.ts'
import type { DecisionAction } from '#shared/domain/moderation.ts'

/** When an email is sent. */
type Sender = { site: string; publicUrl: string }
type Content<Name> = Extract<MailContent, { mail: Name }>

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

/** Emails to an address that may be a stranger’s contain no text that a user chose, because a username can look like a URL. */
export const mailTexts: { [Name in MailContent['mail']]: (about: Sender & Content<Name>) => MailText } = {
  verify: ({ site, publicUrl, token }) => ({
    subject: `Verify your email for ${site}`,
    text: `Welcome to ${site}!

Please open this link to verify your email; it works once, for ${hours('verify')}:

${publicUrl}/verify-email?token=${token}

If you did not create an account, ignore this email: the account cannot be used without this link.
`,
  }),
  'change-email': ({ site, publicUrl, token }) => ({
    subject: `Verify your new email for ${site}`,
    text: `Someone asked to use this address for their ${site} account.

If that was you, please open this link; it works once, for ${hours('change-email')}:

${publicUrl}/verify-email?token=${token}

If not, ignore this email: nothing changes without this link.
`,
  }),
  reset: ({ site, publicUrl, token }) => ({
    subject: `Set a new password for ${site}`,
    text: `Hello,

You can set a new password for your ${site} account here; the link works once, for ${hours('reset')}:

${publicUrl}/reset-password?token=${token}

If you did not ask for this, ignore this email: your password stays the same.
`,
  }),
  'keep-account': ({ site, publicUrl, token, expiresAt }) => ({
    subject: `Your ${site} account will be deleted`,
    text: `Hello,

Your ${site} account will be deleted on ${dayText(expiresAt)}. Until then nothing changes, and you can download your data in the settings.

To keep the account, open this link before that day:

${publicUrl}/keep-account?token=${token}

If you did not ask for this, keep the account with the link, then set a new password:

${publicUrl}/forgot-password
`,
  }),
  'email-change': ({ site, publicUrl }) => ({
    subject: `Your ${site} email is about to change`,
    text: `Hello,

A new email address was requested for your ${site} account. This one stays in use until the new one is verified.

If this was not you, set a new password now: that cancels the change and ends your other sessions.

${publicUrl}/login
`,
  }),
  'access-token': ({ site, publicUrl }) => ({
    subject: `A new access token for your ${site} account`,
    text: `Hello,

An access token was created for your ${site} account. Anyone with the token can use your account within its scopes.

You can see and revoke your access tokens here:

${publicUrl}/settings?tab=account

If this was not you, set a new password now: that revokes all access tokens and ends your other sessions.
`,
  }),
  'sign-in': ({ site, publicUrl, change }) => ({
    subject: `A change of how you sign in to ${site}`,
    text: `Hello,

${changeWords[change]}

You can see and change how you sign in here:

${publicUrl}/settings?tab=account

If this was not you, set a new password now, which ends your other sessions, and then look there again:

${publicUrl}/forgot-password
`,
  }),
  webhook: ({ site, publicUrl }) => ({
    subject: `A new webhook for your ${site} account`,
    text: `Hello,

A webhook was created for your ${site} account, or has a new URL. It receives everything that you change, including private notes.

You can see and remove your webhooks here:

${publicUrl}/settings?tab=account

If this was not you, set a new password now: that disables all webhooks and ends your other sessions.
`,
  }),
  verified: ({ site, publicUrl }) => ({
    subject: `Your email for ${site} is verified`,
    text: `Hello,

Someone asked for a new link to verify this address for ${site}. It is verified already, so you need no link. You can log in here:

${publicUrl}/login

If you have forgotten your password, set a new one:

${publicUrl}/forgot-password
`,
  }),
  pending: ({ site }) => ({
    subject: `Your email for ${site} is verified`,
    text: `Hello,

Someone asked for a new link to verify this address for ${site}. It is verified already, so you need no link. A moderator reviews new accounts; we will email you.
`,
  }),
  approval: ({ site, publicUrl }) => ({
    subject: `Welcome to ${site}`,
    text: `Hello,

A moderator has approved your account at ${site}. You can log in now:

${publicUrl}/login
`,
  }),
  rejection: ({ site }) => ({
    subject: `Your account at ${site}`,
    text: `Hello,

A moderator has not approved your account at ${site}. The account and all that you sent with it were removed.
`,
  }),
  test: ({ site, publicUrl }) => ({
    subject: `A test email from ${site}`,
    text: `Hello,

Emails of ${site} arrive here. An admin asked for this one.

${publicUrl}/admin
`,
  }),
  decision: ({ site, publicUrl, decisionId, action, rules, until }) => ({
    subject: `A decision about your account at ${site}`,
    text: `Hello,

The moderators of ${site} have made a decision. ${decidedWords[action]}${untilDay(until)}
${listRules(rules)}
The reason, and how to appeal within ${appealDays} days:

${publicUrl}/decisions/${decisionId}
`,
  }),
  undone: ({ site, publicUrl, decisionId }) => ({
    subject: `A decision about your account at ${site} was undone`,
    text: `Hello,

The moderators of ${site} have undone a decision about your account.

${publicUrl}/decisions/${decisionId}
`,
  }),
  answered: ({ site, publicUrl, decisionId }) => ({
    subject: `Your appeal at ${site} was answered`,
    text: `Hello,

The moderators of ${site} have answered your appeal.

${publicUrl}/decisions/${decisionId}
`,
  }),
  report: ({ site, publicUrl, isRemoved }) => ({
    subject: `Your report at ${site} was handled`,
    text: `Hello,

Thank you for your report. A moderator has looked at it${isRemoved ? ' and removed what you reported' : ''}.

Your reports:

${publicUrl}/settings?tab=account
`,
  }),
  digest: ({ site, publicUrl, token, lines }) => ({
    subject: `What is new for you at ${site}`,
    text: `Hello,

since you last looked:

${lines.map(({ type, count, actors }) => `- ${digestWords[type](count, actors)}`).join('\n')}

${publicUrl}/notifications

You get this email at most once a day, and only if something is unread. You can choose what it contains here:

${publicUrl}/settings?tab=notifications

This link ends it:

${unsubscribePage(publicUrl, token)}
`,
    unsubscribeUrl: unsubscribePage(publicUrl, token),
  }),
}

const changeWords: Record<SignInChange, string> = {
  'factor-on': 'Logins to your account now ask for a code of your authenticator app.',
  'factor-off': 'Logins to your account no longer ask for a code of an authenticator app.',
  'codes-renewed': 'Your account has new recovery codes. Earlier ones are not valid any more.',
  'passkey-added': 'Your account has a new passkey, which logs in without the password.',
  'passkey-removed': 'A passkey of your account was removed. It no longer logs in.',
  'provider-linked':
    'A login with another service was linked to your account. It logs in without the password.',
  'provider-unlinked': 'A login with another service was removed from your account. It no longer logs in.',
  'link-used': 'Somebody logged in to your account with a link of the people who run this site.',
  'code-used': 'A recovery code of your account was used in place of a code of your authenticator app.',
}

/** Without the reason, which quotes strangers. */
const decidedWords: Record<Exclude<DecisionAction, 'dismiss'>, string> = {
  markSpoiler: 'A text of yours was marked as a spoiler.',
  remove: 'Something that you wrote or added was removed.',
  warn: 'You received a warning, which you will be asked to confirm at your next visit.',
  freeze: 'Your account is frozen: you can read, but not write.',
  suspend: 'Your account is suspended: nobody else sees it or what you wrote.',
  removeAll: 'Your account is suspended, and what you wrote was removed.',
}

/** Names nobody, and contains nothing that a member wrote. */
const digestWords: Record<NotificationType, (count: number, actors: number) => string> = {
  follow: (_count, actors) => `You have ${counted(actors, 'new follower')}.`,
  followRequest: (_count, actors) =>
    `${counted(actors, 'member')} ${plural(actors, 'asks', 'ask')} to follow you.`,
  followAccepted: (_count, actors) => `${counted(actors, 'member')} accepted your request to follow them.`,
  comment: (count) => `There are new comments on ${counted(count, 'review')}.`,
  like: (count) => `Members like ${counted(count, 'review or list', 'reviews and lists')} of yours.`,
  listInvite: (count) => `You are invited to edit ${counted(count, 'list')}.`,
  listTitles: (count) => `There are new titles in ${counted(count, 'list')} that you follow.`,
  importDone: (count) => `${counted(count, 'import')} of yours ${plural(count, 'is', 'are')} done.`,
  decision: () => 'There is a decision of the moderators about you, or about what you wrote.',
  report: (count) => `${counted(count, 'report')} of yours ${plural(count, 'has', 'have')} been handled.`,
  invited: (_count, actors) => `${counted(actors, 'member')} joined with your invite.`,
  case: (count) => `${counted(count, 'case')} ${plural(count, 'waits', 'wait')} for moderators.`,
}

function untilDay(until: string | null): string {
  return until === null ? '' : ` This ends on ${dayText(until)}.`
}

function listRules(rules: readonly string[]): string {
  return rules.length === 0 ? '' : `\nRules of this site:\n${rules.map((rule) => `- ${rule}`).join('\n')}\n`
}

function hours(purpose: LinkPurpose): string {
  const count = linkHours[purpose]
  return count === 1 ? 'an hour' : `${count} hours`
}

function unsubscribePage(publicUrl: string, token: string): string {
  return `${publicUrl}/unsubscribe?token=${token}`
}
