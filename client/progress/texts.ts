import { plural } from '#shared/domain/message.ts'

export const watchedText = (played: number, count: number): string =>
  plural(count, { one: `${played} of # episode`, other: `${played} of # episodes` })
