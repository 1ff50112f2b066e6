import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { TitleOverlay } from '#client/titles/title-overlay.tsx'
import { useSession } from '#client/app/session.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { showDone, toasts } from '#client/ui/toasts.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { titlePath } from '#client/app/kinds.ts'
import { showFailure } from '#client/app/trpc.ts'
import { kinds, type Tab } from '#shared/domain/kinds.ts'
import { tabs } from '#shared/domain/tabs.ts'
import { messages } from '#shared/texts/messages.ts'
import { rowLink, TitleRow, TitleRows } from '../title/title-row.tsx'
import type { Hit } from './hits.ts'
import { useAddHit } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

function transitionName(id: number | undefined) {
  return id === undefined ? undefined : `poster-${id}`
}

function overlayOf({ kind, title }: Hit, id: number | undefined) {
  return id === undefined ? undefined : <TitleOverlay kind={kind} id={id} name={title} />
}

export function TitleHits({ hits, tab }: { hits: readonly Hit[]; tab: Tab }) {
  const { decimal } = useFormats()
  const factsOf = ({ kind, facts, average }: Hit) => [
    kinds[kind].words.one,
    ...facts,
    ...(average === null ? [] : [`${decimal(average, 1)} ★`]),
  ]
  return (
    <TitleRows label={tabs[tab].label}>
      {hits.map((hit) => (
        <TitleRow
          key={hit.key}
          kind={hit.kind}
          title={hit.title}
          imageUrl={hit.imageUrl}
          facts={factsOf(hit).join(' · ')}
          text={hit.text}
          transitionName={transitionName(hit.localId)}
          overlay={overlayOf(hit, hit.localId)}
        >
          <HitActions hit={hit} tab={tab} />
        </TitleRow>
      ))}
    </TitleRows>
  )
}

function HitActions({ hit, tab }: { hit: Hit; tab: Tab }) {
  const navigate = useNavigate()
  const href = useLocation({ select: (location) => location.href })
  const session = useSession()
  const add = useAddHit()
  const definition = kinds[hit.kind]
  const id = hit.localId ?? add.data

  if (id !== undefined)
    return (
      <>
        <ButtonLink
          variant="soft"
          className={`${rowLink} active:scale-100`}
          render={<Link to={titlePath(definition, id)} />}
        >
          Open<VisuallyHidden> {hit.title}</VisuallyHidden>
        </ButtonLink>
        <span className="px-1 text-tiny text-muted">✓ Added</span>
      </>
    )
  if (hit.ids.length === 0)
    return (
      <Button
        variant="ghost"
        aria-disabled
        title={messages.bookWithoutId}
        onClick={() => toasts.add({ title: messages.bookWithoutId })}
      >
        Unavailable<VisuallyHidden>: {hit.title}</VisuallyHidden>
      </Button>
    )

  function submit() {
    if (session === null) {
      toasts.add({ title: tabs[tab].logInToAdd })
      return void navigate({ to: '/login', search: { redirect: href } })
    }
    add.mutate(hit, {
      onSuccess(added) {
        if (added === undefined) return toasts.add({ title: tabs[tab].addedWithoutId, tone: 'error' })
        showDone(t`“${hit.title}” is in the catalogue.`)
        void navigate({ to: titlePath(definition, added) })
      },
      onError: (error) => showFailure(t`“${hit.title}” was not added.`, error),
    })
  }
  return (
    <Button busy={add.isPending} busyLabel="Adding…" onClick={submit}>
      <Plus aria-hidden />
      Add<VisuallyHidden> {hit.title}</VisuallyHidden>
    </Button>
  )
}
