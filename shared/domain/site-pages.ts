import { t } from './message.ts'

export const pageNames = ['about', 'terms', 'privacy', 'imprint'] as const
export type PageName = (typeof pageNames)[number]

export const pageTitles: Record<PageName, string> = {
  about: t`About`,
  terms: t`Terms`,
  privacy: t`Privacy`,
  imprint: t`Imprint`,
}
