import type { EntryProgress } from '#shared/contracts/diary.ts'
import type { GivenStep, Step } from '#shared/contracts/steps.ts'
import { kinds, type Kind, type ProgressUnit, progressUnits } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { invalidField } from '#server/calls/errors.ts'
import type { TitleRow } from '#server/titles/tables.ts'
import type { LastStep, StepRow } from './tables.ts'

type Lengths = Pick<TitleRow, 'runtime' | 'page_count'>

/** In hundredths, because hours have decimals and a database only has exact integers. */
const toHundredths = (value: number) => Math.round(value * 100)

/** Of the whole title, in the unit; null if it is not known. */
function totalOf(unit: ProgressUnit, kind: Kind, { runtime, page_count }: Lengths): number | null {
  if (unit === 'percent') return 100
  const { length } = kinds[kind]
  if (length === null) return null
  return (length === 'pageCount' ? page_count : runtime) || null
}

/** Null without a step. A title may have become shorter since. */
export function progressOf({
  step_unit: unit,
  step_hundredths: hundredths,
  kind,
  ...lengths
}: LastStep & Lengths & { kind: Kind }): EntryProgress | null {
  if (unit === null || hundredths === null) return null
  const total = totalOf(unit, kind, lengths)
  const percent = total === null ? null : Math.min(100, Math.floor(hundredths / total))
  return { unit, value: hundredths / 100, total, percent }
}

/** Throws BAD_REQUEST for a unit of other kinds, and above the total. */
export function checkedStep(
  given: Pick<GivenStep, ProgressUnit>,
  kind: Kind,
  lengths: Lengths,
): Pick<StepRow, 'unit' | 'hundredths'> {
  const unit = progressUnits.find((name) => given[name] !== undefined)!
  if (unit !== 'percent' && unit !== kinds[kind].progressUnit)
    throw invalidField(unit, messages.progressUnitWrong)
  const total = totalOf(unit, kind, lengths)
  if (total !== null && given[unit]! > total) throw invalidField(unit, messages.progressBeyondEnd(total))
  return { unit, hundredths: toHundredths(given[unit]!) }
}

export function toStep({ id, unit, hundredths, day, text, created_at }: StepRow): Step {
  return { id, unit, value: hundredths / 100, on: day, text, createdAt: created_at }
}
