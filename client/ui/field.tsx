import { Field as BaseField } from '@base-ui/react/field'
import { Form as BaseForm } from '@base-ui/react/form'
import { clsx } from 'clsx'
import { CircleAlert, Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { inputClass } from './field-look.ts'
import { useFormats } from './formats.ts'
import { useKeptText } from './kept-text.ts'
import { useTypedValue } from './typed-value.ts'
import { plural, t } from '#shared/domain/message.ts'

export type FormErrors = Record<string, string | string[]>

// A constant: Base UI takes a new object for new errors and focuses the first invalid field again.
const noErrors: FormErrors = {}

/** `errors` must be a new object for each failed attempt. An error disappears when its field changes, and all with the next attempt. */
export function Form<Values extends Record<string, unknown> = Record<string, unknown>>({
  errors,
  onSubmit,
  className,
  ...props
}: Omit<ComponentProps<'form'>, 'onSubmit'> & {
  errors?: FormErrors | undefined
  onSubmit: (values: Values) => void | Promise<void>
}) {
  // Base UI blocks submitting while there are errors. An error of two fields (a confirmation that differs) would block even if the user
  // corrected the other one.
  const [past, setPast] = useState<FormErrors>()
  const form = useRef<HTMLFormElement>(null)
  const isSubmitting = useRef(false)
  async function submit(values: Values) {
    if (isSubmitting.current) return
    isSubmitting.current = true
    try {
      await onSubmit(values)
    } finally {
      isSubmitting.current = false
    }
  }
  // WebKit ignores `scroll-padding` on focus: the field would be under the sticky header.
  useEffect(() => {
    if (errors === undefined) return undefined
    const frame = requestAnimationFrame(() => {
      const focused = document.activeElement
      if (form.current?.contains(focused)) focused!.scrollIntoView({ block: 'nearest' })
    })
    return () => cancelAnimationFrame(frame)
  }, [errors])
  return (
    <BaseForm<Values>
      {...props}
      ref={form}
      errors={errors === undefined || errors === past ? noErrors : errors}
      onSubmitCapture={() => flushSync(() => setPast(errors))}
      onFormSubmit={(values) => void submit(values)}
      className={clsx('grid grid-cols-[minmax(0,1fr)] content-start gap-5', className)}
    />
  )
}

export type FieldProps = {
  label: ReactNode
  name?: string | undefined
  note?: ReactNode
  hint?: ReactNode
  /** Only outside a `Form`, where it would block submitting. */
  error?: string | undefined
  hideLabel?: boolean | undefined
  className?: string | undefined
}

export function Field({
  label,
  name,
  note,
  hint,
  error,
  hideLabel,
  className,
  aside,
  children,
}: FieldProps & { children: ReactNode; aside?: ReactNode }) {
  return (
    <BaseField.Root
      name={name}
      invalid={error !== undefined}
      className={clsx('group/field grid grid-cols-[minmax(0,1fr)] content-start gap-1.5', className)}
    >
      <div className={clsx('flex items-baseline justify-between gap-3', hideLabel && 'sr-only')}>
        <BaseField.Label className="text-label">{label}</BaseField.Label>
        {note === undefined ? null : <span className="text-meta text-muted">{note}</span>}
      </div>
      {children}
      <FieldError>{error}</FieldError>
      {hint === undefined && aside === undefined ? null : (
        // An error replaces the hint, so that nothing moves.
        <div
          className={clsx(
            'flex justify-between gap-3 text-meta text-muted',
            aside === undefined && 'group-data-invalid/field:hidden',
          )}
        >
          {hint === undefined ? <span /> : <BaseField.Description>{hint}</BaseField.Description>}
          {aside}
        </div>
      )}
    </BaseField.Root>
  )
}

export function FieldError({ children }: { children?: string | undefined }) {
  return (
    <BaseField.Validity>
      {({ validity }) => {
        // The messages of browsers differ.
        const own = children ?? (validity.typeMismatch ? t`Please enter a valid email address.` : undefined)
        return (
          <BaseField.Error
            {...(own === undefined ? {} : { match: true, children: own })}
            render={({ children: message, ...props }) => (
              <div {...props} className="flex items-start gap-1.5 text-meta font-medium text-danger">
                <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
                <span>{message}</span>
              </div>
            )}
          />
        )
      }}
    </BaseField.Validity>
  )
}

type ControlProps<Tag extends 'input' | 'textarea'> = FieldProps &
  Omit<ComponentProps<Tag>, keyof FieldProps | 'onChange' | 'value' | 'defaultValue' | 'required'> & {
    value?: string | undefined
    defaultValue?: string | undefined
    onChange?: ((value: string) => void) | undefined
    /** Sets aria-required only; the schema validates. */
    required?: boolean | undefined
  }

export function TextField({
  isKept = true,
  ...all
}: ControlProps<'input'> & {
  children?: ReactNode
  /** False for a text that only filters, and for a code. */
  isKept?: boolean
}) {
  const { label, name, note, hint, error, hideLabel, className, children, onChange, required, ...input } = all
  const control = useRef<HTMLInputElement>(null)
  useTypedValue(control, input.value, onChange)
  const change = useKeptText(isKept ? keptName(all) : undefined, input.value, onChange)
  // The browser cuts text beyond the limit without a word.
  const { maxLength = Number.POSITIVE_INFINITY } = input
  const isFull = (input.value?.length ?? 0) >= maxLength
  const aside = isFull ? (
    <span role="status">
      {plural(maxLength, { one: 'At most # character.', other: 'At most # characters.' })}
    </span>
  ) : undefined
  return (
    <Field {...{ label, name, note, hint, error, hideLabel, className, aside }}>
      <div className="relative">
        <BaseField.Control
          {...input}
          ref={control}
          aria-required={required}
          onValueChange={change}
          className={clsx(inputClass, 'h-12', children !== undefined && 'pe-12')}
        />
        {children}
      </div>
    </Field>
  )
}

function keptName({ label, name, type = 'text', inputMode }: ControlProps<'input'>): string | undefined {
  if (!/^(text|url|email)$/.test(type) || inputMode === 'numeric') return undefined
  return typeof label === 'string' ? label : name
}

export function PasswordField(props: Omit<ControlProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  return (
    <TextField {...props} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none">
      <button
        type="button"
        aria-label="Show password"
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 inset-e-0 grid w-12 place-items-center rounded-field text-muted hover:text-ink focus-visible:-outline-offset-2"
      >
        {shown ? <EyeOff aria-hidden className="size-5" /> : <Eye aria-hidden className="size-5" />}
      </button>
    </TextField>
  )
}

/** `limit` shows a counter once most of it is used, which turns red beyond it; longer text is not cut. */
export function TextArea(all: ControlProps<'textarea'> & { limit?: number | undefined }) {
  const { label, name, note, hint, error, hideLabel, className, ...control } = all
  const { onChange, required, limit, rows = 4, value, defaultValue, disabled, ref, ...area } = control
  const [typed, setTyped] = useState(defaultValue ?? '')
  const change = useKeptText(typeof label === 'string' ? label : name, value, onChange)
  const { count } = useFormats()
  const { length } = value ?? typed
  const left = (limit ?? 0) - length
  const counter =
    limit === undefined || left > limit * 0.2 ? undefined : (
      <span className={clsx('shrink-0 tabular-nums', left < 0 && 'font-semibold text-danger')}>
        <span aria-hidden>
          {count(length)} / {count(limit)}
        </span>
        <span role="status" className="sr-only">
          {left < 0
            ? plural(-left, { one: '# character too many', other: '# characters too many' })
            : left <= 50 && left % 10 === 0
              ? plural(left, { one: '# character left', other: '# characters left' })
              : ''}
        </span>
      </span>
    )
  return (
    <Field {...{ label, name, note, hint, error, hideLabel, className }} aside={counter}>
      <BaseField.Control
        {...(value === undefined ? { defaultValue } : { value })}
        disabled={disabled}
        aria-required={required}
        onValueChange={(next) => {
          setTyped(next)
          change(next)
        }}
        className={clsx(inputClass, 'field-sizing-content max-h-96 resize-y py-3')}
        style={{ minHeight: `calc(${rows} * 1lh + 1.625rem)` }}
        render={<textarea {...area} ref={ref} />}
      />
    </Field>
  )
}
