import { z } from 'zod'
import { messages } from '#shared/texts/messages.ts'
import { languageCode } from './languages.ts'
import { email, id, image, line, message, text, time, uploadedImage } from './scalars.ts'
import {
  announcementMax,
  siteDescriptionMax,
  siteNameMax,
  sitePageMax,
  siteRulesMax,
} from '#shared/domain/limits.ts'
import { languageOffers } from '#shared/domain/languages.ts'
import { type PageName, pageNames } from '#shared/domain/site-pages.ts'

/** Environment variables configure the deployment; these settings admins change in the web app. */

const registrationModes = ['open', 'approval', 'invite', 'closed'] as const
const challengeModes = ['off', 'on'] as const
export type RegistrationMode = (typeof registrationModes)[number]

const blockedDomainsMax = 1_000

const domain = line(253)
  .regex(/^[^\s@/:.]+(?:\.[^\s@/:.]+)+$/u, messages.domainInvalid)
  .meta({ example: 'mail.example' })

const rule = z.object({
  id: z
    .string()
    .regex(/^[\w-]{1,20}$/)
    .meta({ maxLength: 20, description: 'Chosen by the client; reports refer to it.', example: 'kind' }),
  text: line(200).min(1).meta({ example: 'Be kind.' }),
  hint: text(500).default('').meta({ example: '' }),
})

const registration = z.object({
  mode: z.enum(registrationModes).meta({
    description:
      '`open`: everyone signs up. `approval`: a moderator approves each account. `invite`: only with an invite. `closed`: nobody.',
    example: 'open',
  }),
  message: text(500).default('').meta({ description: 'Shown at the sign-up.', example: '' }),
  reasonRequired: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether applicants must say why; for `approval`.' }),
  invitesBy: z
    .enum(['admins', 'moderators', 'members'])
    .default('members')
    .meta({ description: 'Who may invite; each includes those before it.', example: 'members' }),
  challenge: z
    .enum(challengeModes)
    .default('off')
    .meta({ description: 'Whether a sign-up requires a proof of work: see `GET /auth/challenge`.' }),
  blockedEmailDomains: z
    .array(domain)
    .max(blockedDomainsMax)
    .default([])
    .meta({ description: 'Addresses of these domains and their subdomains are refused.', example: [] }),
})

const pages = z.object(
  Object.fromEntries(
    pageNames.map((name) => [
      name,
      text(sitePageMax)
        .default('')
        .meta({ description: 'Markdown without HTML; a blank page does not exist.', example: '' }),
    ]),
  ) as Record<PageName, z.ZodDefault<z.ZodString>>,
)

const announcement = z
  .object({
    text: line(announcementMax).min(1).meta({ example: 'Updates on Sunday evening.' }),
    until: z.iso
      .datetime({ offset: true })
      .max(40)
      .nullable()
      .default(null)
      .meta({ description: 'When it disappears; null for never.', example: null }),
  })
  .nullable()

export const settingSchemas = {
  name: line(siteNameMax).min(1).meta({ example: 'Medley' }),
  description: line(siteDescriptionMax).meta({ example: '' }),
  icon: uploadedImage.nullable(),
  accent: z.int().min(0).max(359).nullable().meta({
    description: 'The hue of the accent colour in degrees; null for the colours of Medley.',
    example: null,
  }),
  registration,
  rules: z
    .array(rule)
    .max(siteRulesMax)
    .refine((rules) => new Set(rules.map((one) => one.id)).size === rules.length, messages.ruleIdsDiffer)
    .meta({ example: [] }),
  pages,
  contact: email.nullable().meta({ description: 'An address that everyone sees.', example: null }),
  visitorsMayRead: z.boolean().meta({
    description: 'Whether visitors see more than the login, the sign-up and the pages.',
    example: true,
  }),
  announcement,
  languages: z
    .object({
      default: languageCode.meta({ description: 'For browsers that ask for no language of the site.' }),
      offer: z.enum(languageOffers).meta({
        description: '`reviewed`: only languages whose translation a speaker has read.',
        example: 'all',
      }),
    })
    .meta({ example: { default: 'en', offer: 'all' } }),
  staffNeedsFactor: z.boolean().meta({
    description:
      'Whether the tools of moderators and admins require a second factor or a passkey of them. Access tokens are not affected.',
    example: false,
  }),
}
export type SettingName = keyof typeof settingSchemas
export const settingNames = Object.keys(settingSchemas) as SettingName[]
export type Settings = { [Name in SettingName]: z.infer<(typeof settingSchemas)[Name]> }

const site = z.object({
  name: z.string().meta({ example: 'Medley' }),
  description: z.string(),
  iconUrl: image,
  accent: z.int().nullable().meta({ description: 'A hue in degrees.', example: null }),
  registration: z.object({
    mode: z.enum(registrationModes),
    message: z.string(),
    reasonRequired: z.boolean(),
    challenge: z.enum(challengeModes),
  }),
  rules: z.array(z.object({ id: z.string(), text: z.string(), hint: z.string() })),
  contact: z.string().nullable(),
  pages: z.array(z.enum(pageNames)).meta({ description: 'The pages that exist.' }),
  visitorsMayRead: z.boolean(),
  announcement: z.object({ text: z.string(), until: time.nullable() }).nullable(),
  version: z.int().meta({ description: 'Increases with each change of the settings.', example: 0 }),
  hasOffers: z.boolean().meta({
    description: 'Whether the site can say where movies and TV shows can be watched: it has a key of TMDB.',
    example: false,
  }),
})
/** What pages contain. */
export type Site = z.infer<typeof site>

const describedSite = site
  .extend({
    languages: z.array(z.object({ code: z.string(), name: z.string(), isReviewed: z.boolean() })).meta({
      description: 'Of the web app. `isReviewed`: a speaker has read the translation.',
      example: [{ code: 'en', name: 'English', isReviewed: true }],
    }),
    defaultLanguage: languageCode,
  })
  .meta({ id: 'Site' })
export const getSite = { output: z.object({ site: describedSite }) }
export const getPage = {
  input: z.object({ name: z.enum(pageNames).meta({ example: 'about' }) }),
  output: z.object({
    page: z.object({ name: z.enum(pageNames), markdown: z.string(), updatedAt: time }),
  }),
}

const settings = z
  .object(settingSchemas)
  .extend({ version: z.int().meta({ description: 'Increases with each change.', example: 3 }) })
  .meta({ id: 'Settings' })
export const getSettings = { output: z.object({ settings }) }
export const changeSettings = {
  input: z.object(settingSchemas).partial(),
  output: z.object({ settings }),
}

export const inviteCode = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .meta({ maxLength: 64, example: 'q3kX0a7cPZbT9mLw' })
export const invite = z
  .object({
    id,
    code: z.string(),
    url: z.string().meta({ format: 'uri' }),
    maxUses: z.int().meta({ example: 1 }),
    uses: z.int().meta({ example: 0 }),
    note: z.string(),
    createdAt: time,
    expiresAt: time,
  })
  .meta({ id: 'Invite' })
export const createInvite = {
  input: z.object({
    maxUses: z.int().min(1).max(100).default(1).meta({ example: 1 }),
    expiresInDays: z.int().min(1).max(90).default(7).meta({ example: 7 }),
    note: line(200)
      .default('')
      .meta({ description: 'Only the inviting member and admins see it.', example: 'For Ada' }),
  }),
  output: z.object({ invite }),
}
export const listInvites = {
  output: z.object({
    invites: z.array(invite),
    mayInvite: z.boolean().meta({ description: 'Whether the settings let the caller invite.' }),
  }),
}
export const removeInvite = { input: z.object({ id }), output: message }
export const findInvite = {
  input: z.object({ id: inviteCode }),
  output: z.object({
    invite: z.object({
      isValid: z.boolean(),
      invitedBy: z.string().nullable().meta({
        description: 'The username of the inviting member; null if the invite is not valid.',
        example: 'lantern_moth',
      }),
    }),
  }),
}

export const setUp = {
  input: z.object({ code: z.string().min(1).max(100).meta({ example: 'q3kX0a7cPZbT9mLwq3kX0a7cPZbT9mLw' }) }),
  output: message,
}
