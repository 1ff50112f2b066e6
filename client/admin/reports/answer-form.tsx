import { useState } from 'react'
import { errorText, trpc } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { TextArea } from '#client/ui/field.tsx'
import { toasts } from '#client/ui/toasts.ts'

/** Answers an appeal. Accepting it undoes the decision. */
export function AnswerForm({ decisionId, caseId }: { decisionId: number; caseId: number }) {
  const utils = trpc.useUtils()
  const answer = trpc.moderation.answer.useMutation()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  function send(accepts: boolean) {
    if (text.trim() === '') return setProblem('Please write an answer to the member.')
    answer.mutate(
      { id: decisionId, accepts, answer: text },
      {
        onSuccess({ case: answered }) {
          utils.moderation.byId.setData({ id: caseId }, { case: answered })
          void utils.moderation.list.invalidate()
          toasts.add({ tone: 'success', title: 'The member gets your answer' })
        },
        onError: (error) => setProblem(errorText(error)),
      },
    )
  }
  return (
    <div className="mt-3 grid gap-3">
      <TextArea
        label="Your answer"
        rows={3}
        value={text}
        onChange={(next) => {
          setText(next)
          setProblem(undefined)
        }}
        error={problem}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={answer.isPending} onClick={() => send(true)}>
          Accept and undo
        </Button>
        <Button variant="outline" busy={answer.isPending} onClick={() => send(false)}>
          Do not accept
        </Button>
      </div>
    </div>
  )
}
