export const auditActions = {
  'settings.change': 'changed the settings',
  'role.change': 'changed the role of',
  'case.open': 'opened a case about',
  'case.assign': 'assigned',
  'decision.make': 'decided about',
  'decision.undo': 'undid',
  'appeal.answer': 'answered an appeal against',
  'title.correct': 'corrected',
  'invite.revoke': 'revoked',
  'member.approve': 'approved',
  'member.reject': 'rejected',
  'member.logOut': 'ended the sessions of',
  'member.sendReset': 'sent a new password link to',
  'member.loginLink': 'made a login link for',
  'member.delete': 'scheduled the deletion of',
  'member.export': 'downloaded the data of',
} as const
export type AuditAction = keyof typeof auditActions
export const auditActionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]]

export const auditTargets = [
  'site',
  'user',
  'invite',
  'title',
  'review',
  'comment',
  'list',
  'case',
  'decision',
] as const
export type AuditTarget = (typeof auditTargets)[number]
