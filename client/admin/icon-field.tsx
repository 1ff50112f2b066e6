import { useState } from 'react'
import { uploadErrorText, uploadPicture } from '#client/app/upload.ts'
import { FileField } from '#client/ui/file-field.tsx'
import { t } from '#shared/domain/message.ts'

export function IconField({
  icon,
  onChange,
}: {
  icon: string | null
  onChange: (icon: string | null) => void
}) {
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string>()
  async function choose(chosen: File) {
    setProblem(undefined)
    setFile(chosen)
    try {
      onChange(await uploadPicture(chosen))
    } catch (error) {
      setProblem(uploadErrorText(error))
    }
    setFile(null)
  }
  return (
    <FileField
      label="Icon"
      note="optional"
      hint="A square picture, beside the name and in the tab of the browser."
      error={problem}
      file={file}
      src={icon ?? undefined}
      disabled={file !== null}
      busyText={file === null ? '' : t`Uploading…`}
      onChange={(chosen) => (chosen === null ? onChange(null) : void choose(chosen))}
    />
  )
}
