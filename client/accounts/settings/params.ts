export const settingsTabs = ['profile', 'account', 'notifications'] as const
export type SettingsTab = (typeof settingsTabs)[number]
export type SettingsParams = { tab?: SettingsTab | undefined }

/** What the address says; whatever it cannot mean is left out. */
export function readSettingsParams(search: Record<string, unknown>): SettingsParams {
  return { tab: settingsTabs.find((tab) => tab === search['tab']) }
}
