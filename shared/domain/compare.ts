/** Orders values by code points or size, in every language and on every machine alike. For `sort`. */
export function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}
