import { FileQuestion } from 'lucide-react'
import { EmptyState } from '#client/ui/empty-state.tsx'
import type { ImportDetail } from '#shared/contracts/imports.ts'
import type { ImportParams } from './params.ts'

/** The props of the tabs of an import. */
export type PanelProps = {
  one: ImportDetail
  params: ImportParams
  onParams: (params: ImportParams) => void
}

/** Shown in a tab that has nothing yet. */
export function NotYet({ children }: { children: string }) {
  return <EmptyState icon={<FileQuestion aria-hidden />} title={children} />
}
