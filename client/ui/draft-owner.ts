/** Whose drafts this browser keeps now: the id of the member. `session.ts` sets it. */
export const draftOwner: { id: number | undefined } = { id: undefined }
