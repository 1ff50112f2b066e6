import { Link } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { changed } from '#client/app/facts.ts'
import { useHiding } from '#client/members/hiding.ts'
import { toMember } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { ShowMore } from '#client/app/show-more.tsx'
import { useSite } from '#client/app/site.ts'
import { nextPage, retryOnce, showFailure, trpc } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { Section } from '#client/ui/section.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { t } from '#shared/domain/message.ts'

const choices = [
  {
    name: 'isPrivate',
    label: t`My account is private`,
    hint: t`You accept or reject each new follower. Only followers see your reviews, comments, favorites, diary, public lists and followers. Your ratings still count, without your name. Present followers stay; lists that you share by a link stay open to those who have it.`,
  },
  {
    name: 'hidesFromSuggestions',
    label: t`Do not suggest me to others`,
    hint: t`Neither as somebody to follow, nor as the member with the most similar year.`,
  },
  {
    name: 'hidesFollows',
    label: t`Hide whom I follow, and who follows me`,
    hint: t`Everybody still sees the two numbers.`,
  },
] as const

export function PrivacySettings() {
  const utils = trpc.useUtils()
  const userId = useSession()?.user.id
  const { visitorsMayRead } = useSite()
  const privacy = trpc.privacy.get.useQuery()
  const change = trpc.privacy.change.useMutation({
    ...retryOnce,
    onSuccess(output) {
      utils.privacy.get.setData(undefined, output)
      void changed('privacy')
      showDone(t`The setting is saved.`)
    },
    onError: (error) => showFailure(t`The setting was not saved`, error),
  })
  const current = privacy.data && { ...privacy.data.privacy, ...(change.isPending ? change.variables : {}) }
  return (
    <Section title="Privacy" className="card">
      {privacy.isLoadingError ? (
        <LoadError title="These settings did not load" error={privacy.error} onRetry={privacy.refetch} />
      ) : current === undefined ? (
        <Skeleton className="h-48 animate-appear rounded-card" />
      ) : (
        <div className="grid max-w-[44rem] gap-3">
          {choices.map(({ name, label, hint }) => (
            <Checkbox
              key={name}
              label={label}
              hint={hint}
              checked={current[name] ?? false}
              disabled={change.isPending}
              onChange={(value) => change.mutate({ [name]: value })}
            />
          ))}
        </div>
      )}
      {userId === undefined ? null : (
        <div className="mt-4 flex flex-wrap gap-2">
          {(visitorsMayRead ? (['visitor', 'follower'] as const) : (['follower'] as const)).map((as) => (
            <ButtonLink
              key={as}
              icon={<Eye aria-hidden />}
              render={<Link {...toMember(userId)} search={{ as }} />}
            >
              {as === 'visitor' ? t`See your profile as a visitor` : t`See your profile as a follower`}
            </ButtonLink>
          ))}
        </div>
      )}
      <HiddenMembers table="blocks" />
      <HiddenMembers table="mutes" />
    </Section>
  )
}

const words = {
  blocks: { title: t`Blocked members`, action: t`Unblock` },
  mutes: { title: t`Muted members`, action: t`Unmute` },
}

function HiddenMembers({ table }: { table: 'blocks' | 'mutes' }) {
  const { data, ...list } = trpc.privacy[table].useInfiniteQuery({ limit: 24 }, nextPage)
  const hiding = useHiding()
  const users = data?.pages.flatMap((page) => page.users) ?? []
  if (users.length === 0) return null
  const { title, action } = words[table]
  return (
    <div className="mt-6">
      <h3 className="text-h3">
        {title}{' '}
        <span className="text-label font-medium text-muted tabular-nums">{data!.pages[0]!.total}</span>
      </h3>
      <ul aria-label={title} className="mt-3 grid max-w-[44rem] gap-2">
        {users.map(({ id, username, profilePicture }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Avatar name={username} src={profilePicture} size="md" />
            <Link
              {...toMember(id)}
              className="inline-flex min-h-11 min-w-0 grow items-center wrap-anywhere hover:underline"
            >
              <bdi>{username}</bdi>
            </Link>
            <Button
              busy={hiding.isPending}
              onClick={() => hiding[table === 'blocks' ? 'unblock' : 'unmute']({ id, name: username })}
            >
              {action}
              <span className="sr-only"> {username}</span>
            </Button>
          </li>
        ))}
      </ul>
      <ShowMore query={list} className="mt-3" />
    </div>
  )
}
