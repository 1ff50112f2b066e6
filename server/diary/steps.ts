import type { GivenStep, Step } from '#shared/contracts/steps.ts'
import { kinds, type Kind, type ProgressUnit, progressUnits } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { invalidField } from '#server/calls/errors.ts'
import { type Lengths, totalOf } from './rules.ts'
import type { StepRow } from './tables.ts'

/** In hundredths, because hours have decimals and a database only has exact integers. */
const toHundredths = (value: number) => Math.round(value * 100)

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
