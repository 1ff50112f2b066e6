import { t } from './message.ts'

export const memberStates = {
  active: t`Active`,
  unverified: t`Unverified`,
  pending: t`Waiting for approval`,
  frozen: t`Frozen`,
  suspended: t`Suspended`,
  deleting: t`To be deleted`,
} as const
export type MemberState = keyof typeof memberStates
export const memberStateNames = Object.keys(memberStates) as [MemberState, ...MemberState[]]
