export const memberStates = {
  active: 'Active',
  unverified: 'Unverified',
  pending: 'Waiting for approval',
  frozen: 'Frozen',
  suspended: 'Suspended',
  deleting: 'To be deleted',
} as const
export type MemberState = keyof typeof memberStates
export const memberStateNames = Object.keys(memberStates) as [MemberState, ...MemberState[]]
