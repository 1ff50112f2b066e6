import { t } from '#shared/domain/message.ts'

export const forYouLead = t`What the people you follow rated, best first. Titles you have rated are left out.`
export const itemsLead = t`Everything in the catalogue. Pick something and tell the others what you think of it.`
