import { Heart } from 'lucide-react'
import type { TitleRef } from '#client/app/kinds.ts'
import { useSession } from '#client/app/session.ts'
import type { ButtonSize } from '#client/ui/button.tsx'
import { ToggleButton } from '#client/ui/toggle-button.tsx'
import { useAsMember } from '#client/app/log-in.tsx'
import { messages } from '#shared/texts/messages.ts'
import { useIsFavorite, useSetFavorite } from './favorite-hooks.ts'

export function FavoriteButton({ title, size }: { title: TitleRef; size?: ButtonSize | undefined }) {
  const isMember = useSession() !== null
  const isFavorite = useIsFavorite(title)
  const setFavorite = useSetFavorite(title)
  const asMember = useAsMember()
  return (
    <ToggleButton
      tone="gold"
      size={size}
      icon={<Heart aria-hidden />}
      pressed={isFavorite.data?.isFavorite ?? false}
      // Until the state is known, a press could remove a favorite instead of adding it.
      busy={setFavorite.isPending || (isMember && isFavorite.isPending)}
      onChange={(next) => asMember(() => setFavorite.mutate(next), messages.pleaseLogInFirst)}
    >
      Favorite
    </ToggleButton>
  )
}
