import { readPage } from '#client/app/params.ts'

export type PeopleSearch = { page?: number | undefined }

export function readPeopleSearch(search: Record<string, unknown>): PeopleSearch {
  return { page: readPage(search['page']) }
}
