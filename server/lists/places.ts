/**
 * Compared in byte order, so that moving a title writes its place only. A place is a fraction between 0 and 1 in base 62 without trailing
 * zeros: there is always another one between two.
 */

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base = digits.length
/** At either end, places count up and down in so many digits, with this distance between neighbours. */
const headLength = 4
const headMax = base ** headLength
const headStep = base

/** A longer place makes the list get new places in the background. */
export const placeLengthMax = 40

/** Null is the start or the end of the list. */
export function placeBetween(before: string | null, after: string | null): string {
  if (before === null && after === null) return toPlace(headMax / 2)
  if (after === null) {
    const next = headOf(before!) + headStep
    return next < headMax ? toPlace(next) : middle(before!, null)
  }
  if (before === null) {
    const previous = headOf(after) - headStep
    return previous > 0 ? toPlace(previous) : middle('', after)
  }
  return middle(before, after)
}

export function placesBetween(before: string | null, after: string | null, count: number): string[] {
  if (count === 0) return []
  if (after === null || before === null) {
    const places: string[] = []
    for (let at = 0; at < count; at++)
      if (after === null) places.push(placeBetween(places.at(-1) ?? before, null))
      else places.unshift(placeBetween(null, places[0] ?? after))
    return places
  }
  const place = middle(before, after)
  const left = Math.floor((count - 1) / 2)
  return [...placesBetween(before, place, left), place, ...placesBetween(place, after, count - 1 - left)]
}

/** Of a position, from 1, in a row that begins at `first`. No other place is the same: counted ones are shorter. */
export function placeAt(first: number, position: number): string {
  const head = Math.min(first + position - 1, headMax - 1)
  return `${toPlace(head).padEnd(headLength, '0')}${digits[base >> 1]}`
}

/** A row after the last place of a list; null is an empty list. */
export function firstAfter(last: string | null): number {
  return last === null ? headMax / 2 : headOf(last) + headStep
}

/** Returns places that are evenly spread, with room at both ends. */
export function spreadPlaces(count: number): string[] {
  const step = Math.floor(headMax / 2 / (count + 1))
  return Array.from({ length: count }, (_, at) => toPlace(headMax / 4 + (at + 1) * step))
}

function headOf(place: string): number {
  return Array.from(place.slice(0, headLength).padEnd(headLength, '0')).reduce(
    (head, digit) => head * base + digits.indexOf(digit),
    0,
  )
}

function toPlace(head: number): string {
  let place = ''
  for (let rest = head; place.length < headLength; rest = Math.floor(rest / base))
    place = digits[rest % base] + place
  return place.replace(/0+$/, '')
}

/** Returns about the middle of two fractions; `''` is 0 and null is 1. */
function middle(low: string, high: string | null): string {
  let start = ''
  let [from, to] = [low, high]
  for (;;) {
    const first = from === '' ? 0 : digits.indexOf(from[0]!)
    const last = to === null ? base : digits.indexOf(to[0]!)
    if (last - first > 1) return start + digits[(first + last) >> 1]
    if (last === first) to = to!.slice(1)
    // Neighbouring digits: either the digit of `high` alone lies between, or the rest follows the digit of `low`.
    else if (to !== null && to.length > 1) return start + to[0]
    else to = null
    start += digits[first]
    from = from.slice(1)
  }
}
