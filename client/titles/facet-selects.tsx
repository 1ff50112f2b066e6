import type { ComponentProps } from 'react'
import { allKinds, type Kind } from '#shared/domain/kinds.ts'
import { Button } from '#client/ui/button.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Select } from '#client/ui/select.tsx'
import { t } from '#shared/domain/message.ts'

export function FilterSelect<Value extends string | number>({
  all,
  value,
  options,
  onChange,
  ...look
}: Pick<ComponentProps<typeof Select>, 'label' | 'hideLabel' | 'shape' | 'className'> & {
  all: string
  value: Value | undefined
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value | undefined) => void
}) {
  return (
    <Select
      {...look}
      value={String(value ?? '')}
      options={[
        { value: '', label: all },
        ...options.map((option) => ({ value: String(option.value), label: option.label })),
      ]}
      onChange={(next) => onChange(options.find((option) => String(option.value) === next)?.value)}
    />
  )
}

export function FilterToggle({
  pressed,
  onChange,
  children,
}: {
  pressed: boolean
  onChange: (pressed: boolean) => void
  children: string
}) {
  return (
    <Button
      variant={pressed ? 'primary' : 'outline'}
      aria-pressed={pressed}
      className="picked"
      onClick={() => onChange(!pressed)}
    >
      {children}
    </Button>
  )
}

const kindOptions = [
  { value: 'all' as const, label: t`All` },
  ...allKinds.map(({ kind, words }) => ({ value: kind, label: words.many })),
]

export function KindChoice({
  label,
  kind,
  onChange,
}: {
  label: string
  kind: Kind | undefined
  onChange: (kind: Kind | undefined) => void
}) {
  return (
    <Segmented
      label={label}
      value={kind ?? 'all'}
      options={kindOptions}
      onChange={(value) => onChange(value === 'all' ? undefined : value)}
    />
  )
}

const firstDecade = 1900
const decades = Array.from(
  { length: Math.floor((new Date().getUTCFullYear() - firstDecade) / 10) + 1 },
  (_, index) => firstDecade + 10 * index,
).toReversed()

export type FacetProps<Value> = { value: Value | undefined; onChange: (value: Value | undefined) => void }

export function DecadeSelect({ value, onChange }: FacetProps<number>) {
  const shown = value === undefined || decades.includes(value) ? decades : [...decades, value]
  const options = shown.map((decade) => ({ value: decade, label: t`${decade}s` }))
  return <FilterSelect label="Decade" all="Any" value={value} options={options} onChange={onChange} />
}
