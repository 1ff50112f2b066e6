export const queueNames = [
  'mail',
  'webhooks',
  'imports',
  'deletions',
  'lists',
  'moderation',
  'notifications',
  'jobs',
] as const
export type QueueName = (typeof queueNames)[number]
