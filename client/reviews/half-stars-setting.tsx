import { useSession } from '#client/app/session.ts'
import { retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { changeUser } from '#client/app/user.ts'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { useHalfStars } from '#client/ui/half-stars.ts'
import { t } from '#shared/domain/message.ts'

export function HalfStarsSetting() {
  const userId = useSession()?.user.id
  const current = useHalfStars()
  const change = trpc.reviews.changeRatingSettings.useMutation({
    ...retryOnce,
    onSuccess: ({ halfStars }) => changeUser(userId, (user) => ({ ...user, halfStars })),
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
