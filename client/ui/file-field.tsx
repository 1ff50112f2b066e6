import { Field as BaseField } from '@base-ui/react/field'
import { clsx } from 'clsx'
import { ImageOff, ImagePlus, LoaderCircle, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { imageSrcSet } from '#shared/domain/images.ts'
import { Button, buttonClass } from './button.tsx'
import { Field, type FieldProps } from './field.tsx'
import { t } from '#shared/domain/message.ts'

const shapes = {
  round: 'size-20 rounded-full',
  poster: 'w-24 aspect-[2/3] rounded-poster',
  wide: 'w-40 aspect-video rounded-poster',
}

/** Revoked when the file changes or the component unmounts. */
export function useFileUrl(file: File | null) {
  const [made, setMade] = useState<{ file: File; url: string }>()
  useEffect(() => {
    if (file === null) return undefined
    const url = URL.createObjectURL(file)
    // oxlint-disable-next-line react/set-state-in-effect -- only an effect can both create the URL and revoke it
    setMade({ file, url })
    return () => URL.revokeObjectURL(url)
  }, [file])
  return made?.file === file ? made?.url : undefined
}

/** `src` is the current picture. `onChange(null)` means “remove”. */
export function FileField({
  file,
  onChange,
  src,
  shape = 'round',
  accept = 'image/jpeg,image/png,image/gif,image/webp',
  chooseLabel = t`Choose a picture`,
  disabled,
  busyText = '',
  ...field
}: FieldProps & {
  file: File | null
  onChange: (file: File | null) => void
  src?: string | undefined
  shape?: keyof typeof shapes | undefined
  accept?: string | undefined
  chooseLabel?: string | undefined
  disabled?: boolean | undefined
  busyText?: string | undefined
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const preview = useFileUrl(file) ?? src
  const [unreadable, setUnreadable] = useState<string>()
  const isUnreadable = preview !== undefined && preview === unreadable
  return (
    <Field {...field}>
      <div
        className={clsx(
          'relative flex flex-wrap items-center gap-4 rounded-card border border-dashed p-4 transition-colors',
          over ? 'border-accent bg-raised' : 'border-edge',
        )}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(!disabled)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const dropped = event.dataTransfer.files[0]
          if (dropped?.type.startsWith('image/') && !disabled) onChange(dropped)
        }}
      >
        <div
          className={clsx(
            'relative grid shrink-0 place-items-center overflow-hidden bg-raised text-muted',
            shapes[shape],
          )}
        >
          {preview === undefined ? (
            <ImagePlus aria-hidden className="size-6" />
          ) : isUnreadable ? (
            <ImageOff aria-hidden className="size-6" />
          ) : (
            <img
              src={preview}
              srcSet={imageSrcSet(preview)}
              sizes="8rem"
              alt=""
              onError={() => setUnreadable(preview)}
              className={clsx('size-full object-cover transition-opacity', busyText && 'opacity-40')}
            />
          )}
          {busyText ? <LoaderCircle aria-hidden className="absolute size-7 animate-spin text-ink" /> : null}
        </div>
        <div className="grid min-w-0 grow basis-40 justify-items-start gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <BaseField.Control
              id={id}
              ref={input}
              type="file"
              accept={accept}
              disabled={disabled}
              onChange={(event) => {
                const chosen = event.currentTarget.files?.[0]
                if (chosen !== undefined) onChange(chosen)
              }}
              className="peer sr-only"
            />
            <label
              htmlFor={id}
              className={clsx(
                buttonClass('soft'),
                'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus',
                'peer-disabled:opacity-45',
              )}
            >
              {preview === undefined ? chooseLabel : t`Change`}
            </label>
            {preview === undefined ? null : (
              <Button
                variant="ghost"
                icon={<Trash2 aria-hidden />}
                disabled={disabled}
                onClick={() => {
                  if (input.current !== null) input.current.value = ''
                  onChange(null)
                }}
              >
                Remove
              </Button>
            )}
          </div>
          {file === null ? null : (
            <p dir="auto" className="max-w-full truncate text-meta text-muted">
              <bdi>{file.name}</bdi>
            </p>
          )}
          <p role="status" className="text-meta text-muted empty:hidden">
            {busyText ||
              (isUnreadable
                ? file === null
                  ? t`This picture did not load.`
                  : t`No preview. The file may be broken, or in a format that this browser cannot show.`
                : '')}
          </p>
        </div>
      </div>
    </Field>
  )
}
