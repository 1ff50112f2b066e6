import { type Kind, kinds, progressUnits } from '#shared/domain/kinds.ts'
import { stepsMax, stepTextMax, stepValueMax } from '#shared/domain/limits.ts'
import { truncate } from '#shared/texts/truncate.ts'
import type { ParsedStep } from './records.ts'
import { textAt } from './rows.ts'
import { dateOf, textOf } from './values.ts'

/** As one line of a column. */
export function lineOfStep(item: unknown): string {
  return JSON.stringify([
    textAt(item, 'unit', 10),
    textAt(item, 'value', 20),
    textAt(item, 'on', 10),
    textAt(item, 'createdAt', 40),
    textAt(item, 'text', 2 * stepTextMax),
  ])
}

/** Of an entry. `isCut`: some are missing or cannot be. */
export function stepsIn(
  column: string,
  kind: Kind,
  notes: string[],
): { steps: ParsedStep[]; isCut: boolean } {
  const lines = column === '' ? [] : column.split('\n')
  const steps = lines.slice(0, stepsMax).flatMap((line) => stepOf(line, kind, notes) ?? [])
  return { steps, isCut: steps.length < lines.length }
}

function stepOf(line: string, kind: Kind, notes: string[]): ParsedStep | undefined {
  const [given, amount, on, at, text] = valuesOf(line)
  const unit = progressUnits.find((name) => name === given)
  const hundredths = Math.round(Number(amount || NaN) * 100)
  const max = unit === 'percent' ? 100 : stepValueMax
  const day = dateOf(on ?? '', notes)
  const createdAt = dateOf(at ?? '', notes)
  const isOfKind = unit === 'percent' || unit === kinds[kind].progressUnit
  if (!unit || !isOfKind || kinds[kind].progressUnit === null) return undefined
  if (!(hundredths >= 0 && hundredths <= max * 100) || day?.length !== 10 || !createdAt) return undefined
  return { unit, hundredths, day, createdAt, text: truncate(textOf(text ?? '', notes, 'plain'), stepTextMax) }
}

/** None if the line is cut. */
function valuesOf(line: string): string[] {
  try {
    return JSON.parse(line) as string[]
  } catch {
    return []
  }
}
