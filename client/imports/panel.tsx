import { FileQuestion } from 'lucide-react'
import { EmptyState } from '#client/ui/empty-state.tsx'
import type { ImportDetail } from '#shared/contracts/imports.ts'
import type { ImportParams } from './params.ts'

export type PanelProps = {
  one: ImportDetail
  params: ImportParams
  onParams: (params: ImportParams) => void
}

export function NotYet({ children }: { children: string }) {
  return <EmptyState icon={<FileQuestion aria-hidden />} title={children} />
}
