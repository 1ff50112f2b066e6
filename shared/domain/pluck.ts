export function pluck<Row, Column extends keyof Row>(rows: readonly Row[], column: Column): Row[Column][] {
  return rows.map((row) => row[column])
}
