/** RFC 4180: commas, CRLF, quotes doubled within quotes. */
export type Cell = string | number | null

/** A spreadsheet reads such a cell as a formula. The apostrophe makes the guard reversible. */
const formulaStart = /^[=+\-@\t\r']/

export function guarded(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text
}

export function unguarded(text: string): string {
  return text.startsWith("'") ? text.slice(1) : text
}

export function sheetLine(cells: readonly Cell[]): string {
  return csvLine(cells.map((cell) => (typeof cell === 'string' ? guarded(cell) : cell)))
}

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => quoted(String(cell ?? ''))).join(',')}\r\n`
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
