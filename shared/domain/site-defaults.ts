import type { Settings, Site } from '#shared/contracts/site.ts'
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
  staffNeedsFactor: false,
}

export function publicSite(settings: Settings, version: number): Site {
  const { icon, registration, pages: all, staffNeedsFactor: _, ...others } = settings
  const { mode, message, reasonRequired, challenge } = registration
  return {
    ...others,
    iconUrl: icon,
    registration: { mode, message, reasonRequired, challenge },
    pages: pageNames.filter((name) => all[name] !== ''),
    version,
  }
}
export const defaultSite = publicSite(defaultSettings, 0)
