/** Returns the value of one property of each row, such as the ids. */
export function pluck<Row, Column extends keyof Row>(rows: readonly Row[], column: Column): Row[Column][] {
  return rows.map((row) => row[column])
}
