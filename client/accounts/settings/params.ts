export const settingsTabs = ['profile', 'account', 'notifications'] as const
export type SettingsTab = (typeof settingsTabs)[number]
export type SettingsParams = {
  tab?: SettingsTab | undefined
  developers?: 'yes' | undefined
}

export function readSettingsParams(search: Record<string, unknown>): SettingsParams {
  return {
    tab: settingsTabs.find((tab) => tab === search['tab']),
    developers: search['developers'] === 'yes' ? 'yes' : undefined,
  }
}
