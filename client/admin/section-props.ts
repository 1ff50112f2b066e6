export type SectionProps = {
  /** The path below that of the section: `12` for `/admin/members/12`. */
  rest: string
  search: Record<string, string | undefined>
}
