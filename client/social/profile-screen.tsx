import { Link } from '@tanstack/react-router'
import { Lock, Settings } from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { useHiding } from '#client/members/hiding.ts'
import { MemberMenu } from '#client/members/member-menu.tsx'
import { PrivateIcon } from '#client/members/private-icon.tsx'
import { useSession } from '#client/app/session.ts'
import { ShareButton } from '#client/app/share-button.tsx'
import { type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Stat, Stats } from '#client/ui/stat.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { allKinds, type KindDefinition, kindsOnHome } from '#shared/domain/kinds.ts'
import { formatCount } from './format-count.ts'
import { FavoritesSection, NoFavorites } from './favorites-section.tsx'
import { FollowButton } from './follow-button.tsx'
import { useFavorites, useFollowStatus } from './hooks.ts'
import { displayName } from './display-name.ts'
import { ProfileSkeleton } from './profile-skeleton.tsx'
import { SuggestedPeople } from './suggested-people.tsx'
import { TasteMatch } from './taste-match.tsx'
import { t } from '#shared/domain/message.ts'

type Member = RouterOutputs['accounts']['profile']['user']

type Parts = {
  requests: ReactNode
  links: ReactNode
  Ratings: ComponentType<{ userId: number; name: string }>
  lists: ReactNode
}

export function ProfileScreen({ userId, ...parts }: Parts & { userId: number }) {
  const { data } = trpc.accounts.profile.useQuery({ id: userId })
  return data ? <Profile user={data.user} {...parts} /> : <ProfileSkeleton />
}

function Profile({ user, requests, links, Ratings, lists }: Parts & { user: Member }) {
  const isOwn = useSession()?.user.id === user.id
  const name = displayName(user)
  const params = { userId: String(user.id) }
  const isOpen = user.isClosed !== true
  const { decimal } = useFormats()
  // The suggestions must stay after the first of them is followed.
  const [followedNobody] = useState(user.followingCount === 0)
  return (
    <div className="relative">
      {isOpen ? <ProfileArt userId={user.id} /> : null}
      <div className="page relative pt-16 low:pt-4! sm:pt-24">
        <header className="grid grid-cols-[minmax(0,1fr)] items-end gap-6 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-8">
          <Avatar
            name={name}
            src={user.profilePicture}
            size="xl"
            className="border-4 border-bg shadow-float low:size-16!"
          />
          <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
            <div className="min-w-0">
              <h1 className="text-h1 wrap-anywhere">
                {name}
                {user.isPrivate ? <PrivateIcon /> : null}
              </h1>
              {user.email ? (
                <p dir="auto" className="mt-2 text-muted wrap-anywhere">
                  {user.email}
                </p>
              ) : null}
              {user.bio ? (
                <p dir="auto" className="mt-3 max-w-prose wrap-anywhere whitespace-pre-line">
                  {user.bio}
                </p>
              ) : null}
            </div>
            {isOwn ? (
              <div className="flex flex-wrap items-center gap-1">
                <ButtonLink icon={<Settings aria-hidden />} render={<Link to="/settings" />}>
                  Edit profile
                </ButtonLink>
                <ShareButton
                  shared={{ subject: 'users', id: user.id }}
                  what="your favorites"
                  path={`/user/${user.id}`}
                  missing="Add a favorite first: the picture shows five of them."
                />
              </div>
            ) : (
              <div className="flex items-center gap-1">
                <FollowButton userId={user.id} name={name} />
                <MemberMenu userId={user.id} name={name} />
              </div>
            )}
          </div>
        </header>
        <Stats className="mt-8 max-w-xl">
          <Stat
            label="Items"
            render={isOpen ? <Link to="/user/$userId/reviews" params={params} /> : undefined}
            value={formatCount(user.reviewCount, decimal)}
          />
          <Stat
            label="Followers"
            render={isOpen ? <Link to="/user/$userId/followers" params={params} /> : undefined}
            value={formatCount(user.followersCount, decimal)}
          />
          <Stat
            label="Following"
            render={isOpen ? <Link to="/user/$userId/following" params={params} /> : undefined}
            value={formatCount(user.followingCount, decimal)}
          />
        </Stats>
        {requests}
        {isOpen ? (
          <>
            {links}
            <div className="mt-14 grid grid-cols-[minmax(0,1fr)] gap-14">
              <TasteMatch userId={user.id} name={name} />
              {kindsOnHome.map((definition) => (
                <FavoritesSection
                  key={definition.kind}
                  definition={definition}
                  userId={user.id}
                  isOwn={isOwn}
                />
              ))}
              <Ratings userId={user.id} name={name} />
              <NoFavorites userId={user.id} isOwn={isOwn} />
              {lists}
              {isOwn && followedNobody ? <SuggestedPeople /> : null}
            </div>
          </>
        ) : (
          <ClosedProfile userId={user.id} name={name} />
        )}
      </div>
    </div>
  )
}

function ClosedProfile({ userId, name }: { userId: number; name: string }) {
  const { unblock, isPending } = useHiding()
  const { isBlocked = false, isRequested = false } = useFollowStatus(userId).data ?? {}
  return (
    <EmptyState
      className="mt-14"
      icon={<Lock aria-hidden />}
      title={isBlocked ? t`You have blocked ${name}` : t`This profile is private`}
      action={
        isBlocked ? (
          <Button busy={isPending} onClick={() => void unblock({ id: userId, name })}>
            Unblock
          </Button>
        ) : undefined
      }
    >
      {isBlocked
        ? t`Neither of you sees what the other writes.`
        : isRequested
          ? t`You have asked to follow ${name}. If ${name} accepts, you see their reviews, favorites, diary and lists here.`
          : t`Only followers see the reviews, favorites, diary and lists of ${name}.`}
    </EmptyState>
  )
}

function ProfileArt({ userId }: { userId: number }) {
  return (
    <div aria-hidden className="absolute inset-x-0 top-0 flex h-64 overflow-hidden sm:h-80">
      {allKinds.map((definition) => (
        <Shade key={definition.kind} definition={definition} userId={userId} />
      ))}
      <div className="absolute inset-0 bg-linear-to-b from-bg/40 to-bg" />
    </div>
  )
}

function Shade({ definition, userId }: { definition: KindDefinition; userId: number }) {
  const image = useFavorites(definition, userId).data?.find(({ imageUrl }) => imageUrl !== null)?.imageUrl
  return (
    <div data-kind={definition.kind} className="h-full grow basis-0 scale-125 blur-3xl">
      <Picture src={image} sizes="5rem" eager fallback={<div className="size-full bg-accent/20" />} />
    </div>
  )
}
