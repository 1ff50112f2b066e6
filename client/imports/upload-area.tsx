import { clsx } from 'clsx'
import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { servicesWith } from '#shared/domain/import-formats.ts'
import type { ImportDetail } from '#shared/contracts/imports.ts'
import { importFileBytesMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { useUpload } from './hooks.ts'
import { ProgressBar } from './progress-bar.tsx'
import { t } from '#shared/domain/message.ts'

const importedServices = servicesWith()

export function UploadArea({ onDone }: { onDone: (uploaded: ImportDetail) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [isOver, setOver] = useState(false)
  const [sent, setSent] = useState(0)
  const [fileName, setFileName] = useState('')
  const [problem, setProblem] = useState<string>()
  const running = useRef<AbortController>(undefined)
  const upload = useUpload()
  useEffect(() => () => running.current?.abort(), [])

  function send(file: File | undefined) {
    if (file === undefined || upload.isPending) return
    setProblem(undefined)
    if (file.size > importFileBytesMax) return setProblem(messages.importTooLarge)
    if (file.size === 0) return setProblem(messages.importEmpty)
    setFileName(file.name)
    setSent(0)
    const aborting = new AbortController()
    running.current = aborting
    upload.mutate(
      { file, onProgress: setSent, signal: aborting.signal },
      {
        onSuccess: onDone,
        onError: (error) => {
          if (!aborting.signal.aborted) setProblem(error.message)
        },
      },
    )
  }
  function cancel() {
    running.current?.abort()
    // The button that had the focus is gone with the next rendering.
    requestAnimationFrame(() => button.current?.focus())
  }

  const percent = Math.round(sent * 100)
  return (
    <div className="flex flex-col">
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(!upload.isPending)
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
        }}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          send(event.dataTransfer.files[0])
        }}
        className={clsx(
          'grid min-h-56 grow content-center justify-items-center rounded-card border border-dashed px-5 py-8 text-center transition-colors sm:px-8',
          isOver ? 'border-accent bg-raised' : 'border-edge',
        )}
      >
        <FileUp aria-hidden className={clsx('size-8 stroke-[1.5]', isOver ? 'text-accent' : 'text-muted')} />
        {upload.isPending ? (
          <div className="mt-4 w-full max-w-sm">
            <p role="status" className="mb-3 text-label wrap-anywhere">
              {sent < 1 ? t`Uploading ${fileName}` : t`Reading ${fileName}`}
            </p>
            <ProgressBar label="Upload" value={sent < 1 ? percent : undefined} max={100} />
            <Button className="mt-4" onClick={cancel}>
              Cancel
            </Button>
          </div>
        ) : (
          <>
            <p className="mt-3 font-display text-h3">
              {isOver ? t`Drop it to upload it` : t`Drop a file here, or choose one`}
            </p>
            <p className="mt-1 max-w-[34em] text-meta text-muted">
              {t`${importedServices.join(', ')}, or any CSV with a column of titles. At most 32 MB.`}
            </p>
            <Button ref={button} variant="primary" className="mt-5" onClick={() => input.current?.click()}>
              Choose a file
            </Button>
          </>
        )}
        <input
          ref={input}
          type="file"
          tabIndex={-1}
          aria-label="File to import"
          accept=".zip,.gz,.csv,.tsv,.txt,.json,.ndjson,.xml,application/zip,application/gzip,text/csv,application/json,text/xml"
          className="sr-only"
          onChange={({ currentTarget }) => {
            send(currentTarget.files?.[0])
            // The same file can be chosen again.
            currentTarget.value = ''
          }}
        />
      </div>
      {problem === undefined ? null : (
        <Callout tone="error" title="The file was not imported" className="mt-4">
          {problem}
        </Callout>
      )}
    </div>
  )
}
