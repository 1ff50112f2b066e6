import { reviewTextMax } from '#shared/domain/limits.ts'
import { english } from '#client/ui/formats.ts'
import { t } from '#shared/domain/message.ts'

export function textProblem(text: string): string | undefined {
  if (text.trim() === '') return t`Please write a few words. Your stars count without them, too.`
  if (text.trim().length > reviewTextMax)
    return t`Please keep it under ${english.count(reviewTextMax)} characters.`
  return undefined
}
