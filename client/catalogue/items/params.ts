import { readPage } from '#client/read-page.ts'
import { type Kind, kindNames } from '#shared/media.ts'

export type ItemsParams = { page?: number | undefined; category?: Kind | undefined }

/** What the address says; whatever it cannot mean is left out. */
export function readItemsParams(search: Record<string, unknown>): ItemsParams {
  return {
    page: readPage(search['page']),
    category: kindNames.find((kind) => kind === search['category']),
  }
}
