import { changed } from '#client/app/facts.ts'
import { setSession, useSession } from '#client/app/session.ts'
import { retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { useHalfStars } from '#client/ui/half-stars.ts'
import { t } from '#shared/domain/message.ts'

export function HalfStarsSetting() {
  const session = useSession()
  const current = useHalfStars()
  const change = trpc.reviews.changeRatingSettings.useMutation({
    ...retryOnce,
    onSuccess({ halfStars }) {
      if (session !== null) setSession({ ...session, user: { ...session.user, halfStars } })
      void changed('account')
    },
    onError: (error) => showFailure(t`The setting was not saved`, error),
  })
  return (
    <Checkbox
      label="Half stars"
      hint="The left half of a star is half a star less: 3½ instead of 4. Ratings that you have given stay as they are."
      checked={change.isPending ? (change.variables.halfStars ?? current) : current}
      disabled={change.isPending}
      onChange={(halfStars) => change.mutate({ halfStars })}
    />
  )
}
