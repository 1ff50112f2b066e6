import { z } from 'zod'
import * as exported from './exported.ts'
import * as limits from '#shared/domain/limits.ts'
import { count, cursor, id, isPrivate, limit, nextCursor, person, time } from './scalars.ts'

const settings = z
  .object({
    isPrivate: z.boolean().meta({
      description:
        'Whether what the member writes is for accepted followers: reviews, comments, favorites, the diary, lists, followers. Ratings count for everybody, without the name.',
    }),
    hidesFromSuggestions: z.boolean().meta({
      description: 'Whether the member is left out of suggestions, and of the comparisons of years.',
    }),
    hidesFollows: z.boolean().meta({
      description: 'Whether nobody else sees whom the member follows, and who follows the member.',
    }),
  })
  .meta({ id: 'Privacy', description: 'Who sees a member.' })

export const getPrivacy = { output: z.object({ privacy: settings }) }
export const changePrivacy = { input: settings.partial(), output: getPrivacy.output }

const since = person
  .extend({ isPrivate, since: time })
  .meta({ id: 'PersonSince', description: 'A member, and since when they are in the list.' })

const listed = {
  input: z.object({ limit: limit(limits.listPageSize), cursor }),
  output: z.object({ users: z.array(since), total: count, nextCursor }),
}
export const listBlocks = listed
export const listMutes = listed
export const listRequests = listed

export const block = { input: z.object({ id }), output: z.object({ isBlocked: z.boolean() }) }
export const mute = { input: z.object({ id }), output: z.object({ isMuted: z.boolean() }) }

export const answerRequest = {
  input: z.object({ userId: id.meta({ description: 'The member who asks to follow the caller.' }) }),
  output: z.object({ followersCount: count }),
}
export const removeFollower = {
  input: z.object({ userId: id.meta({ description: 'A follower of the caller.' }) }),
  output: z.object({ followersCount: count }),
}

export const exportedOtherMember = z.object({
  username: exported.username,
  id: z
    .int()
    .positive()
    .meta({ description: 'The id of the member on the server that wrote the file.', example: 7 }),
  createdAt: time,
})
