import { Link, useNavigate } from '@tanstack/react-router'
import { Bell, Copy, Heart, ListOrdered, Pencil, Settings2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { listPath, useDeleted } from '#client/app/deleted.ts'
import { toList, toMember } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useAsMember } from '#client/app/log-in.tsx'
import { RemovedNote } from '#client/app/removed-note.tsx'
import { ReportButton } from '#client/members/report-button.tsx'
import { useSession } from '#client/app/session.ts'
import { ShareButton } from '#client/app/share-button.tsx'
import { errorText, retryOnce, trpc } from '#client/app/trpc.ts'
import { AvatarStack } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { commaList, useFormats } from '#client/ui/formats.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { useQuestion } from '#client/ui/question.tsx'
import { Time } from '#client/ui/time.tsx'
import { ToggleButton } from '#client/ui/toggle-button.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { messages } from '#shared/texts/messages.ts'
import { fail, itemsOf, type List, useIsOwner, useListItems, useOpinions } from './hooks.ts'
import { Collage, titleCount, VisibilityIcon } from './list-card.tsx'
import { ListTitles } from './list-titles.tsx'
import { LoadMore } from './load-more.tsx'
import { onlyIconOnPhones } from './looks.ts'
import type { ListParams } from './params.ts'
import { listInput } from './queries.ts'
import { isolated, t } from '#shared/domain/message.ts'

const editor = lazyComponent(async () => (await import('./list-editor.tsx')).ListEditor)
const { AutoLoaded: OwnerTools } = lazyComponent(async () => (await import('./owner-tools.tsx')).OwnerTools)

type Props = { list: List; params: ListParams }

export function ListScreen({ id, params }: { id: number; params: ListParams }) {
  const { data } = trpc.lists.byId.useQuery(listInput(id, params))
  const isDeleted = useDeleted().has(listPath(id))
  if (isDeleted)
    return (
      <div className="page py-12">
        <EmptyState isPage icon={<ListOrdered aria-hidden />} title={messages.listRemoved} />
      </div>
    )
  if (data) return <ListPage key={id} list={data.list} params={params} />
  return (
    <div className="page py-12">
      <PosterGridSkeleton count={12} />
    </div>
  )
}

function ListPage({ list, params }: Props) {
  const [isEditing, setEditing] = useState(false)
  const isOwner = useIsOwner(list)
  const canEdit = list.mine?.canEdit === true && !list.isRemoved
  useEffect(() => {
    if (canEdit) editor.load()
  }, [canEdit])
  return (
    <article className="page min-h-svh py-4 sm:py-12">
      {list.isRemoved ? <RemovedNote what="list" /> : null}
      <div className="grid items-start gap-x-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Header list={list} isEditing={isEditing} />
        {list.previewTitles.length === 0 ? null : <Collage list={list} className="max-lg:hidden" />}
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-2 max-sm:gap-0.5 sm:mt-6">
        {isEditing ? null : <Opinions list={list} params={params} />}
        {canEdit ? (
          <Button
            icon={<Pencil aria-hidden />}
            aria-pressed={isEditing}
            variant={isEditing ? 'primary' : 'soft'}
            className={isEditing ? undefined : onlyIconOnPhones}
            onClick={() => setEditing(!isEditing)}
          >
            {isEditing ? t`Done` : <span className="max-sm:sr-only">Edit titles</span>}
          </Button>
        ) : null}
        {isOwner ? <OwnerTools list={list} icon={<Settings2 aria-hidden />} /> : null}
        {isEditing || list.visibility === 'private' ? null : (
          <ReportButton
            type="list"
            id={list.id}
            linkKey={params.key}
            heading={t`Report list “${list.title}”`}
            authorId={list.owner.id}
          />
        )}
      </div>
      {list.mine?.isInvited ? <Invitation list={list} /> : null}
      <div className={isEditing ? 'mt-4 sm:mt-6' : 'mt-5 sm:mt-10'}>
        {isEditing ? (
          <editor.Component list={list} params={params} />
        ) : (
          <Titles list={list} params={params} onEdit={canEdit ? () => setEditing(true) : undefined} />
        )}
      </div>
    </article>
  )
}

/** While titles are edited, the name is enough. */
function Header({ list, isEditing }: { list: List; isEditing: boolean }) {
  return (
    <header className="grid grid-cols-[minmax(0,1fr)] gap-2.5 sm:gap-4">
      <h1 className="text-h1 max-sm:text-h2 wrap-anywhere text-balance">
        <bdi>{list.title}</bdi>
      </h1>
      {isEditing ? null : <About list={list} />}
    </header>
  )
}

function About({ list }: { list: List }) {
  const { count } = useFormats()
  const seen = list.mine?.seenCount
  return (
    <>
      {list.description === '' ? null : (
        <p
          dir="auto"
          className="max-w-[44em] whitespace-pre-line text-lead max-sm:text-body text-muted wrap-anywhere text-pretty"
        >
          {list.description}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-meta text-muted">
        <AvatarStack
          people={[list.owner, ...list.editors].map(({ id, username, profilePicture }) => ({
            id,
            name: username,
            src: profilePicture,
          }))}
          render={({ id }) => <Link {...toMember(id)} />}
        />
        <span className="min-w-0 wrap-anywhere">
          by {commaList([list.owner, ...list.editors].map(({ username }) => isolated(username)))}
        </span>
        <span aria-hidden>·</span>
        <span className="tabular-nums">{titleCount(list.itemCount)}</span>
        <span aria-hidden className="max-sm:hidden">
          ·
        </span>
        <span className="max-sm:hidden">
          changed <Time value={list.updatedAt} relative />
        </span>
        <VisibilityIcon visibility={list.visibility} />
        {list.copiedFrom === null ? null : (
          <Link {...toList(list.copiedFrom)} className="link">
            Copied from another list
          </Link>
        )}
        {list.tags.length === 0 ? null : (
          <ul aria-label="Tags" className="flex flex-wrap gap-x-3">
            {list.tags.map((tag) => (
              <li key={tag}>
                <Link to="/lists" search={{ tag }} className="link inline-flex min-h-7 items-center">
                  <bdi>{tag}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
      {seen === undefined || list.itemCount === 0 ? null : (
        <div className="max-w-md">
          <p className="text-meta text-muted tabular-nums">
            You have finished {count(seen)} of {count(list.itemCount)}
          </p>
          <div aria-hidden className="mt-1.5 h-0.5 overflow-hidden rounded-full bg-line">
            <div className="h-full bg-star" style={{ width: `${(100 * seen) / list.itemCount}%` }} />
          </div>
        </div>
      )}
    </>
  )
}

function Opinions({ list, params }: Props) {
  const isOwner = useIsOwner(list)
  const asMember = useAsMember()
  const navigate = useNavigate()
  const { count } = useFormats()
  const { setLiked, setFollowed, isPending } = useOpinions(list, params)
  const copy = trpc.lists.copy.useMutation({
    ...retryOnce,
    onSuccess({ list: copied }) {
      void changed('lists')
      showDone(t`Copied to your lists`)
      void navigate(toList(copied.id))
    },
    onError: fail,
  })
  return (
    <>
      <ToggleButton
        pressed={list.mine?.isLiked === true}
        busy={isPending}
        label="Like"
        className="max-sm:px-3"
        icon={<Heart aria-hidden />}
        onChange={(isLiked) => asMember(() => setLiked(isLiked))}
      >
        {count(list.likeCount)}
      </ToggleButton>
      {isOwner ? null : (
        <ToggleButton
          pressed={list.mine?.isFollowed === true}
          busy={isPending}
          icon={<Bell aria-hidden />}
          className="max-sm:px-3"
          onChange={(isFollowed) => asMember(() => setFollowed(isFollowed))}
        >
          Follow
        </ToggleButton>
      )}
      <ShareButton
        shared={{ subject: 'lists', ...listInput(list.id, { key: params.key ?? keyOf(list) }) }}
        what={list.title}
        label="Share"
        path={(list.visibility === 'link' && list.link) || `/list/${list.id}`}
        version={list.updatedAt}
        missing="Only those who may read the list see it, so it has no picture. A public list has one."
      />
      <Button
        variant="ghost"
        icon={<Copy aria-hidden />}
        className={onlyIconOnPhones}
        busy={copy.isPending}
        onClick={() => asMember(() => copy.mutate(listInput(list.id, params)))}
      >
        <span className="max-sm:sr-only">Copy</span>
      </Button>
    </>
  )
}

function keyOf({ visibility, link }: List): string | undefined {
  if (visibility !== 'link' || link === null) return undefined
  // The server renders this too, and has no location.
  return new URL(link, 'http://localhost').searchParams.get('key') ?? undefined
}

function Invitation({ list }: { list: List }) {
  const userId = useSession()?.user.id
  const onSuccess = () => void changed('list', list.id)
  const accept = trpc.lists.accept.useMutation({ ...retryOnce, onSuccess })
  const decline = trpc.lists.removeEditor.useMutation({ ...retryOnce, onSuccess })
  const [ask, question] = useQuestion()
  const error = accept.error ?? decline.error
  return (
    <Callout title={t`${list.owner.username} invites you to edit this list.`} className="mt-6">
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          variant="primary"
          busy={accept.isPending || decline.isPending}
          onClick={() => accept.mutate({ id: list.id })}
        >
          Accept
        </Button>
        <Button
          busy={accept.isPending || decline.isPending}
          aria-haspopup="dialog"
          onClick={() =>
            ask({
              title: t`Decline the invitation?`,
              description: t`${list.owner.username} is not told, and can invite you again.`,
              label: t`Decline`,
              onConfirm: () => userId !== undefined && decline.mutate({ id: list.id, userId }),
            })
          }
        >
          Decline
        </Button>
      </div>
      {error ? <p className="mt-2 text-danger">{errorText(error)}</p> : null}
      {question}
    </Callout>
  )
}

function Titles({ list, params, onEdit }: Props & { onEdit: (() => void) | undefined }) {
  const items = useListItems(list.id, params)
  if (items.isPending) return <PosterGridSkeleton count={12} label="Loading titles…" />
  if (items.data === undefined)
    return <LoadError title="The titles did not load" error={items.error} onRetry={items.refetch} />
  const all = itemsOf(items.data)
  if (all.length === 0)
    return (
      <EmptyState
        icon={<ListOrdered aria-hidden />}
        title="This list is empty."
        action={
          onEdit ? (
            <Button variant="primary" onClick={onEdit}>
              Add titles
            </Button>
          ) : undefined
        }
      />
    )
  return (
    <>
      <ListTitles list={list} items={all} />
      <LoadMore query={items} />
    </>
  )
}
