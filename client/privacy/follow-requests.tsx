import { Link } from '@tanstack/react-router'
import { toMember } from '#client/app/links.ts'
import { AnswerRequest } from '#client/members/answer-request.tsx'
import { PrivateIcon } from '#client/members/private-icon.tsx'
import { useSession } from '#client/app/session.ts'
import { trpc } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Section } from '#client/ui/section.tsx'

export function FollowRequests({ userId }: { userId: number }) {
  const isOwn = useSession()?.user.id === userId
  const requests = trpc.privacy.requests.useQuery({}, { enabled: isOwn })
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
              <bdi>{username}</bdi>
              {isPrivate ? <PrivateIcon /> : null}
            </Link>
            <AnswerRequest userId={id} name={username} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
