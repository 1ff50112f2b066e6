import { type ReactNode, useState } from 'react'
import { lazyComponent } from './lazy.ts'

const { Component: ConfirmDialog, load } = lazyComponent(
  async () => (await import('./dialog.tsx')).ConfirmDialog,
)

export type Question = {
  title: string
  description: string
  label: string
  canUndo?: boolean
  onConfirm: () => void
}

/** Returns a function that asks, and the dialog to render. */
export function useQuestion(): [ask: (question: Question) => void, dialog: ReactNode] {
  const [question, setQuestion] = useState<Question>()
  const [isOpen, setOpen] = useState(false)
  return [
    (next) => {
      setQuestion(next)
      setOpen(true)
      load()
    },
    question === undefined ? null : (
      <ConfirmDialog
        key="question"
        open={isOpen}
        onOpenChange={setOpen}
        title={question.title}
        description={question.description}
        confirmLabel={question.label}
        canUndo={question.canUndo}
        onConfirm={() => {
          setOpen(false)
          question.onConfirm()
        }}
      />
    ),
  ]
}
