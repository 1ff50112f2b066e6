/** CSV as in RFC 4180: commas, CRLF, quotes doubled within quotes. */
export type Cell = string | number | null

/** A spreadsheet reads a cell that starts like this as a formula. The apostrophe is included so that the guard is reversible. */
const formulaStart = /^[=+\-@\t\r']/

/** Puts an apostrophe in front of a text that a spreadsheet would run as a formula. See `unguarded`. */
export function guarded(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text
}

/** Removes the apostrophe of `guarded`. */
export function unguarded(text: string): string {
  return text.startsWith("'") ? text.slice(1) : text
}

/** Returns a line of CSV with its line break, which a spreadsheet opens without running a formula. */
export function sheetLine(cells: readonly Cell[]): string {
  return csvLine(cells.map((cell) => (typeof cell === 'string' ? guarded(cell) : cell)))
}

/** Returns a line of CSV with its line break. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => quoted(String(cell ?? ''))).join(',')}\r\n`
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
