import { diaryDateMin } from '#shared/limits.ts'
import { type DiaryStatus, diaryStatuses, type Kind, kindNames } from '#shared/media.ts'

const sorts = ['release', 'average'] as const
export type DiaryParams = {
  list?: 'want' | undefined
  kind?: Kind | undefined
  status?: DiaryStatus | undefined
  year?: number | undefined
  sort?: (typeof sorts)[number] | undefined
}

/** Reads the search params; leaves invalid ones out. */
export function readDiaryParams(search: Record<string, unknown>): DiaryParams {
  return {
    list: search['list'] === 'want' ? 'want' : undefined,
    kind: kindNames.find((kind) => kind === search['kind']),
    status: diaryStatuses.find((status) => status === search['status'] && status !== 'want'),
    year: readYear(search['year']),
    sort: sorts.find((sort) => sort === search['sort']),
  }
}

/** Reads a year that a diary can have. */
export function readYear(value: unknown): number | undefined {
  const year = typeof value === 'string' && /^\d{4}$/.test(value) ? Number(value) : value
  const isYear = typeof year === 'number' && Number.isInteger(year)
  return isYear && year >= Number(diaryDateMin.slice(0, 4)) && year <= 9999 ? year : undefined
}
