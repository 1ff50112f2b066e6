/** Whose drafts dialogs keep: the id of the member. The shell of members sets it. */
export const draftOwner: { id: number | undefined } = { id: undefined }
