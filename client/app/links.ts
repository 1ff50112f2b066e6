/** Returns where a link to the profile of a member leads. */
export function toMember(id: number) {
  return { to: '/user/$userId', params: { userId: String(id) } } as const
}

/** Returns where a link to a list leads. */
export function toList(id: number) {
  return { to: '/list/$listId', params: { listId: String(id) }, search: {} } as const
}

/** For a change of the search params, after which the page stays where it is; Back leads to the page before it. */
export const inPlace = { replace: true, resetScroll: false, viewTransition: false } as const
