import { TextArea } from '#client/ui/field.tsx'
import { reviewTextMax } from '#shared/domain/limits.ts'

export function PrivateNote(props: { value: string; onChange: (text: string) => void; readOnly?: boolean }) {
  return (
    <TextArea
      label="Private note"
      note="optional"
      hint="Only you can read it."
      rows={2}
      limit={reviewTextMax}
      {...props}
    />
  )
}
