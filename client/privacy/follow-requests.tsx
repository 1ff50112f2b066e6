import { Link } from '@tanstack/react-router'
import { toMember } from '#client/app/links.ts'
import { PrivateMark } from '#client/members/private-mark.tsx'
import { useSession } from '#client/app/session.ts'
import { retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { useQuestion } from '#client/ui/question.tsx'
import { Section } from '#client/ui/section.tsx'

/** The requests to follow the member, on their own profile. Renders nothing without any. */
export function FollowRequests({ userId }: { userId: number }) {
  const isOwn = useSession()?.user.id === userId
  const utils = trpc.useUtils()
  const requests = trpc.privacy.requests.useQuery({}, { enabled: isOwn })
  const options = {
    ...retryOnce,
    onError: (error: unknown) => showFailure('That did not work', error),
    onSettled: () => {
      void utils.privacy.requests.invalidate()
      void utils.accounts.profile.invalidate({ id: userId })
      void utils.social.followers.invalidate()
    },
  }
  const accept = trpc.privacy.accept.useMutation(options)
  const reject = trpc.privacy.reject.useMutation(options)
  const [ask, question] = useQuestion()
  const isPending = accept.isPending || reject.isPending
  if (!isOwn || !requests.data || requests.data.total === 0) return null
  const { users, total } = requests.data
  return (
    <Section title="Follow requests" count={total} className="mt-10">
      <ul aria-label="Follow requests" className="grid gap-3">
        {users.map(({ id, username, profilePicture, isPrivate }) => (
          <li
            key={id}
            className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface p-4"
          >
            <Avatar name={username} src={profilePicture} size="lg" />
            <Link
              {...toMember(id)}
              className="inline-flex min-h-11 min-w-0 grow items-center text-label wrap-anywhere hover:underline"
            >
              {username}
              {isPrivate ? <PrivateMark /> : null}
            </Link>
            <span className="flex gap-2">
              <Button variant="primary" busy={isPending} onClick={() => accept.mutate({ userId: id })}>
                Accept<span className="sr-only"> {username}</span>
              </Button>
              <Button
                busy={isPending}
                aria-haspopup="dialog"
                onClick={() =>
                  ask({
                    title: `Reject the request of ${username}?`,
                    description: `${username} is not told, and can ask again.`,
                    label: 'Reject',
                    act: () => reject.mutate({ userId: id }),
                  })
                }
              >
                Reject<span className="sr-only"> {username}</span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {question}
    </Section>
  )
}
