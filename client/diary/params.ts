import { diaryDateMin } from '#shared/domain/limits.ts'
import { type DiaryStatus, diaryStatuses, type Kind, kindNames } from '#shared/domain/kinds.ts'
import { t } from '#shared/domain/message.ts'

const sorts = ['release', 'average'] as const
export const lengths = [
  { value: 'm60', label: t`Up to an hour`, filter: { maxMinutes: 60 } },
  { value: 'm100', label: t`Up to 100 minutes`, filter: { maxMinutes: 100 } },
  { value: 'm150', label: t`Up to 150 minutes`, filter: { maxMinutes: 150 } },
  { value: 'p200', label: t`Up to 200 pages`, filter: { maxPages: 200 } },
  { value: 'p400', label: t`Up to 400 pages`, filter: { maxPages: 400 } },
] as const
type Length = (typeof lengths)[number]['value']

export function lengthFilter(length: Length | undefined): { maxMinutes?: number; maxPages?: number } {
  return lengths.find(({ value }) => value === length)?.filter ?? {}
}

export type DiaryParams = {
  list?: 'want' | undefined
  kind?: Kind | undefined
  status?: DiaryStatus | undefined
  year?: number | undefined
  sort?: (typeof sorts)[number] | undefined
  length?: Length | undefined
  /** Only what the member’s streaming services have. */
  services?: 'mine' | undefined
}

export function readDiaryParams(search: Record<string, unknown>): DiaryParams {
  return {
    list: search['list'] === 'want' ? 'want' : undefined,
    kind: kindNames.find((kind) => kind === search['kind']),
    status: diaryStatuses.find((status) => status === search['status'] && status !== 'want'),
    year: readYear(search['year']),
    sort: sorts.find((sort) => sort === search['sort']),
    length: lengths.find(({ value }) => value === search['length'])?.value,
    services: search['services'] === 'mine' ? 'mine' : undefined,
  }
}

export function readYear(value: unknown): number | undefined {
  const year = typeof value === 'string' && /^\d{4}$/.test(value) ? Number(value) : value
  const isYear = typeof year === 'number' && Number.isInteger(year)
  return isYear && year >= Number(diaryDateMin.slice(0, 4)) && year <= 9999 ? year : undefined
}
