export const pageNames = ['about', 'terms', 'privacy', 'imprint'] as const
export type PageName = (typeof pageNames)[number]

export const pageTitles: Record<PageName, string> = {
  about: 'About',
  terms: 'Terms',
  privacy: 'Privacy',
  imprint: 'Imprint',
}
