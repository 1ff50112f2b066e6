import { AccessTokens } from './tokens.tsx'
import { Webhooks } from './webhooks.tsx'

export function DeveloperTools() {
  return (
    <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-10">
      <AccessTokens />
      <Webhooks />
    </div>
  )
}
