import { listKeyMax, listTagMax, queryMax } from '#shared/domain/limits.ts'

export const publicTabs = ['popular', 'new'] as const
export const listTabs = [...publicTabs, 'mine', 'followed'] as const
export type ListTab = (typeof listTabs)[number]

export type ListsParams = { tab?: ListTab | undefined; q?: string | undefined; tag?: string | undefined }

export function readListsParams(search: Record<string, unknown>): ListsParams {
  return {
    tab: listTabs.slice(1).find((tab) => tab === search['tab']),
    q: readText(search['q'], queryMax),
    tag: readText(search['tag'], listTagMax),
  }
}

export type ListParams = { key?: string | undefined }

export function readListParams(search: Record<string, unknown>): ListParams {
  const key = readText(search['key'], listKeyMax)
  return { key: key !== undefined && /^[\w-]+$/.test(key) ? key : undefined }
}

function readText(value: unknown, max: number): string | undefined {
  // A number in the URL is a text too.
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' && text.length <= max ? text : undefined
}
