export function toMember(id: number) {
  return { to: '/user/$userId', params: { userId: String(id) } } as const
}

export function toList(id: number) {
  return { to: '/list/$listId', params: { listId: String(id) }, search: {} } as const
}

export const inPlace = { replace: true, resetScroll: false, viewTransition: false } as const
