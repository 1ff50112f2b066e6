import type { Settings, Site } from '#shared/contracts/site.ts'
import { sourceLanguage } from './languages.ts'
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

export function publicSite(settings: Settings, version: number, hasOffers = false): Site {
  const { icon, registration, pages: all, languages: _, staffNeedsFactor: __, ...others } = settings
  const { mode, message, reasonRequired, challenge } = registration
  return {
    ...others,
    iconUrl: icon,
    registration: { mode, message, reasonRequired, challenge },
    pages: pageNames.filter((name) => all[name] !== ''),
    version,
    hasOffers,
  }
}

/** The same as `publicSite(defaultSettings, 0)`, for the scripts of pages, which need no other settings. */
export const defaultSite: Site = {
  name: 'Medley',
  description: '',
  accent: null,
  rules: [],
  contact: null,
  visitorsMayRead: true,
  announcement: null,
  iconUrl: null,
  registration: { mode: 'open', message: '', reasonRequired: true, challenge: 'off' },
  pages: [],
  version: 0,
  hasOffers: false,
}
