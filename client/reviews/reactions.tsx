import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useFormats } from '#client/ui/formats.ts'
import { ToggleButton } from '#client/ui/toggle-button.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { useAsMember } from '#client/app/log-in.tsx'
import { type Review, useReact } from './hooks.ts'
import { ratioText } from './ratio.ts'
import { plural } from '#shared/domain/message.ts'

/** Pressing the pressed button removes the reaction. */
export function Reactions({ review }: { review: Review }) {
  const asMember = useAsMember()
  const react = useReact()
  const { count } = useFormats()
  const { id, userReaction, likeCount, dislikeCount } = review

  function set(reaction: 'like' | 'dislike', isPressed: boolean) {
    asMember(() => react.mutate({ id, reaction: isPressed ? reaction : 'none' }))
  }

  const likes = plural(likeCount, { one: '# like', other: '# likes' })
  const dislikes = plural(dislikeCount, { one: '# dislike', other: '# dislikes' })
  return (
    <>
      <ToggleButton
        label="Like,"
        icon={<ThumbsUp aria-hidden />}
        pressed={userReaction === 'like'}
        busy={react.isPending}
        onChange={(isPressed) => set('like', isPressed)}
        className="gap-1! px-1.5! text-meta! sm:gap-2! sm:px-3.5!"
      >
        {count(likeCount)}
      </ToggleButton>
      <ToggleButton
        label="Dislike,"
        icon={<ThumbsDown aria-hidden />}
        pressed={userReaction === 'dislike'}
        busy={react.isPending}
        onChange={(isPressed) => set('dislike', isPressed)}
        className="gap-1! px-1.5! text-meta! sm:gap-2! sm:px-3.5!"
      >
        {count(dislikeCount)}
      </ToggleButton>
      <span className="ratio px-1 text-meta sm:px-2 text-muted tabular-nums" title="Likes to dislikes">
        <VisuallyHidden>Likes to dislikes:</VisuallyHidden> {ratioText(likeCount, dislikeCount)}
      </span>
      <span role="status" className="sr-only">
        {react.isSuccess ? `${likes}, ${dislikes}.` : ''}
      </span>
    </>
  )
}
