export type Change<Values> = {
  [Name in keyof Values]?: (Values[Name] extends object ? Change<Values[Name]> : Values[Name]) | undefined
}

/** At any depth. Leaves out what the values do not have. */
export function merge<Values extends object>(values: Values, change: Change<Values>): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const next: unknown = change[name as keyof Values]
      if (next === undefined) return [name, value]
      return [name, typeof value === 'object' ? merge(value as object, next as object) : next]
    }),
  ) as Values
}
