import type { Settings, Site } from '#shared/contracts/site.ts'
import { offeredLanguages, sourceLanguage } from './languages.ts'
import { pageNames } from './site-pages.ts'

export const defaultSettings: Settings = {
  name: 'Medley',
  description: '',
  icon: null,
  accent: null,
  registration: {
    mode: 'open',
    message: '',
    reasonRequired: true,
    invitesBy: 'members',
    challenge: 'off',
    blockedEmailDomains: [],
  },
  rules: [],
  pages: { about: '', terms: '', privacy: '', imprint: '' },
  contact: null,
  visitorsMayRead: true,
  announcement: null,
  languages: { default: sourceLanguage, offer: 'all' },
  staffNeedsFactor: false,
}

export function publicSite(settings: Settings, version: number): Site {
  const { icon, registration, pages: all, languages, staffNeedsFactor: _, ...others } = settings
  const { mode, message, reasonRequired, challenge } = registration
  return {
    ...others,
    iconUrl: icon,
    registration: { mode, message, reasonRequired, challenge },
    pages: pageNames.filter((name) => all[name] !== ''),
    languages: offeredLanguages(languages.offer).map(({ code, name, isReviewed }) => ({
      code,
      name,
      isReviewed,
    })),
    defaultLanguage: languages.default,
    version,
  }
}
export const defaultSite = publicSite(defaultSettings, 0)
