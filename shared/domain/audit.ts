import { t } from './message.ts'

export const auditActions = {
  'settings.change': t`changed the settings`,
  'role.change': t`changed the role of`,
  'case.open': t`opened a case about`,
  'case.assign': t`assigned`,
  'decision.make': t`decided about`,
  'decision.undo': t`undid`,
  'appeal.answer': t`answered an appeal against`,
  'title.correct': t`corrected`,
  'invite.revoke': t`revoked`,
  'member.approve': t`approved`,
  'member.reject': t`rejected`,
  'member.logOut': t`ended the sessions of`,
  'member.sendReset': t`sent a new password link to`,
  'member.loginLink': t`made a login link for`,
  'member.delete': t`scheduled the deletion of`,
  'member.export': t`downloaded the data of`,
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
