import { z } from 'zod'
import * as exported from './exported.ts'
import * as limits from '#shared/domain/limits.ts'
import { diaryStatuses, kindNames } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  count,
  cursor,
  id,
  image,
  limit,
  line,
  message,
  nextCursor,
  person,
  query,
  text,
  time,
  titleCard,
  stars,
} from './scalars.ts'
import { listVisibilities } from '#shared/domain/visibilities.ts'

const visibility = z.enum(listVisibilities).meta({
  description:
    'Who may read the list besides its owner and editors: nobody, whoever has its link, the owner’s followers, or everyone.',
  example: 'public',
})

export const key = z
  .string()
  .max(limits.listKeyMax)
  .regex(/^[\w-]+$/)
  .optional()
  .meta({ description: 'The key of the link, for a list with the visibility `link`.', examples: [] })

const tag = line(limits.listTagMax)
  .overwrite((value) => value.replace(/^#+/, '').trim().toLowerCase())
  .min(1, messages.listTagEmpty)
  .meta({ example: 'space' })
const tags = z
  .array(tag)
  .max(limits.listTagsMax)
  .overwrite((values) => [...new Set(values)])
  .meta({ description: 'In lower case, without duplicates.', example: ['space', 'slow'] })

const shownTitle = z.string().meta({ example: 'Films about distance' })
const shownText = z.string().meta({ example: 'The slow ones.' })

const list = z
  .object({
    id,
    owner: person,
    title: shownTitle,
    description: shownText,
    isRanked: z.boolean().meta({ description: 'Whether the positions are ranks.' }),
    visibility,
    tags: z.array(z.string()).meta({ example: ['space', 'slow'] }),
    itemCount: count.meta({
      description: 'With titles that a moderator has removed, which come back with an appeal.',
    }),
    likeCount: count,
    copiedFrom: id.nullable().meta({ description: 'The list that this one was copied from.', example: null }),
    previewTitles: z
      .array(titleCard)
      .meta({ description: `The first titles, at most ${limits.listPreviewMax}.` }),
    previewImages: z.array(image.unwrap()).meta({ description: 'The pictures of those titles.' }),
    createdAt: time,
    updatedAt: time.meta({ description: 'When the list or its titles last changed.' }),
    isRemoved: z.literal(true).optional().meta({
      description: 'Only present if a moderator has removed the list, which only its owner still sees.',
      examples: [],
    }),
  })
  .meta({ id: 'List', description: 'A list of titles of any kinds.' })

export const changedList = list

const detailedList = list
  .extend({
    editors: z.array(person).meta({ description: 'The members who may change the titles.' }),
    invited: z
      .array(person)
      .meta({ description: 'Invited editors who have not accepted yet. Only the owner sees them.' }),
    link: z.string().nullable().meta({
      description: 'The path of the page with the key. Only the owner sees it; null without a key.',
      example: null,
    }),
    mine: z
      .object({
        isLiked: z.boolean(),
        isFollowed: z.boolean(),
        seenCount: count.meta({ description: 'Titles that the caller has rated or finished.' }),
        canEdit: z.boolean().meta({ description: 'Whether the caller may change the titles.' }),
        isInvited: z.boolean().meta({ description: 'Whether the caller is invited to edit the list.' }),
      })
      .optional()
      .meta({ description: 'Missing without a token.' }),
  })
  .meta({ id: 'DetailedList', description: 'A list with its editors and what concerns the caller.' })

const item = z
  .object({
    position: z.int().meta({ description: 'The position in the whole list, from 1.', example: 1 }),
    note: shownText,
    addedBy: person.nullable().meta({ description: 'Null if the account no longer exists.' }),
    addedAt: time,
    title: titleCard,
    mine: z
      .object({
        rating: stars.nullable().meta({ description: 'The caller’s rating.', example: 4 }),
        status: z.enum(diaryStatuses).nullable().meta({ description: 'The caller’s status in the diary.' }),
      })
      .optional()
      .meta({ description: 'Missing without a token.' }),
  })
  .meta({ id: 'ListItem', description: 'A title of a list.' })

const listOutput = z.object({ list: detailedList })
const page = z.object({ lists: z.array(list), nextCursor })
const paging = { limit: limit(limits.listPageSize), cursor }

const title = line(limits.listTitleMax)
  .min(1, messages.listTitleRequired)
  .meta({ example: 'Films about distance' })
const settings = {
  description: text(limits.descriptionMax).optional().meta({ example: 'The slow ones.' }),
  isRanked: z.boolean().optional().meta({ example: true }),
  visibility: visibility.optional(),
  tags: tags.optional(),
}

export const createList = {
  input: z.object({ title, ...settings }),
  output: listOutput,
}
export const editList = {
  input: z.object({ id, title: title.optional(), ...settings }),
  output: listOutput,
}
export const readList = { input: z.object({ id, key }), output: listOutput }
export const removeList = { input: z.object({ id }), output: message }

export const listItems = {
  input: z.object({
    id,
    key,
    kind: z.enum(kindNames).optional(),
    ...paging,
  }),
  output: z.object({
    items: z.array(item),
    nextCursor,
    total: count.meta({ description: 'The number of titles of all pages.' }),
  }),
}
export type ListItem = z.infer<typeof item>
export const itemCursor = z.tuple([z.string().max(limits.cursorMax), id])

const note = text(limits.listNoteMax).meta({ example: 'Watch it twice.' })
const position = z
  .int()
  .min(1)
  .max(limits.listItemsMax)
  .meta({ description: 'From 1; beyond the end it means the end.', example: 1 })

const given = { itemId: id, note: note.optional(), position: position.optional() }

export const addListItem = {
  input: z.object({ id, ...given }),
  output: z.object({ item, itemCount: count }),
}
export const editListItem = {
  input: z.object({ id, ...given }),
  output: z.object({ item }),
}
export const removeListItem = {
  input: z.object({ id, itemId: id }),
  output: message.extend({ itemCount: count }),
}

export const changeListItems = {
  input: z.object({
    id,
    action: z.enum(['add', 'move', 'remove']).default('add').meta({ example: 'add' }),
    items: z
      .array(z.object(given))
      .min(1)
      .max(limits.idsMax)
      .meta({ example: [{ itemId: 12 }] }),
    position: position.optional().meta({
      description: 'Where titles without a position of their own go, in the order of `items`.',
    }),
  }),
  output: z.object({
    changed: count.meta({
      description:
        'How many titles were added, moved or removed. The others were already in the list, or not in it.',
    }),
    changedIds: z.array(id).meta({ description: 'Those titles.', example: [12] }),
    itemCount: count,
  }),
}

export const listsOfUser = { input: z.object({ id, ...paging }), output: page }
const ownedList = list
  .extend({
    hasItem: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the list has the title `itemId`; missing without it.', examples: [] }),
  })
  .meta({ id: 'OwnList', description: 'A list that the caller owns or edits.' })
export const ownLists = {
  input: z.object({ itemId: id.optional(), ...paging }),
  output: z.object({ lists: z.array(ownedList), nextCursor }),
}
export const followedLists = { input: z.object(paging), output: page }
export const listInvitations = { input: z.object(paging), output: page }
export const listsOfTitle = {
  input: z.object({ id, sort: z.enum(['popular', 'newest']).default('popular'), ...paging }),
  output: page,
}
const listSorts = ['popular', 'newest', 'liked'] as const
export type ListSort = (typeof listSorts)[number]
export const searchLists = {
  input: z.object({
    q: query.optional().meta({
      description: 'Words that begin words of the title or the tags.',
      example: 'distance',
    }),
    tag: tag.optional(),
    sort: z
      .enum(listSorts)
      .default('popular')
      .meta({
        description: `Always descending. \`popular\` sorts by the likes of the last ${limits.listPopularDays} days and lists at most ${limits.listPopularMax}; \`liked\` by all likes.`,
      }),
    ...paging,
  }),
  output: page,
}

export const likeList = {
  input: z.object({ id, key }),
  output: z.object({ isLiked: z.boolean(), likeCount: count }),
}
export const followList = { input: z.object({ id, key }), output: z.object({ isFollowed: z.boolean() }) }
export const copyList = { input: z.object({ id, key }), output: listOutput }

export const listEditor = { input: z.object({ id, userId: id }), output: listOutput }
export const removeListEditor = { input: z.object({ id, userId: id }), output: message }
export const acceptList = { input: z.object({ id }), output: listOutput }
export const renewListLink = {
  input: z.object({ id }),
  output: z.object({
    link: z.string().meta({
      description: 'The path of the page with the new key; the old one is no longer valid.',
      example: '/list/12?key=Zk3qv8n0b1YtRrVw',
    }),
  }),
}

export const exportedList = z.object({
  ref: z.int().positive().meta({
    description: 'Identifies the list within this file; on the instance that wrote the file, its id.',
    example: 3,
  }),
  name: z.string().meta({ example: 'Films about distance' }),
  description: exported.text,
  isRanked: z.boolean().meta({ description: 'Whether the order is a ranking.' }),
  visibility: z.enum(listVisibilities),
  tags: z.array(z.string()).meta({ example: ['space'] }),
  createdAt: time,
  updatedAt: time,
})

export const exportedListItem = z.object({
  list: z.int().positive().meta({ description: 'The `ref` of a list of this file.', example: 3 }),
  listName: z.string().meta({ description: 'The name of the list.', example: 'Films about distance' }),
  title: exported.titleRef,
  note: exported.text,
  addedAt: time,
})

export const exportedOtherList = z.object({
  id: z.int().positive().meta({ description: 'The id on the server that wrote the file.', example: 3 }),
  name: z.string().meta({ example: 'Films about distance' }),
  owner: exported.username,
  createdAt: time,
})
