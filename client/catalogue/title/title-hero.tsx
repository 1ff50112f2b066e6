import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Fragment, type ReactNode } from 'react'
import { Picture } from '#client/ui/picture.tsx'
import { KindPill, Pill } from '#client/ui/pill.tsx'
import { Poster } from '#client/ui/poster-card.tsx'
import { queryMax } from '#shared/domain/limits.ts'
import type { KindDefinition } from '#shared/domain/kinds.ts'
import { lengthPill } from './length-pill.ts'
import type { TitleView } from './title-view.ts'
import { isEnglish, language, t } from '#shared/domain/message.ts'

const longName = 28

export function TitleHero({
  definition,
  id,
  view,
  averages,
  actions,
}: {
  definition: KindDefinition
  id: number
  view: TitleView
  averages: ReactNode
  actions: ReactNode
}) {
  const { kind, words } = definition
  const length = lengthPill(definition, view.length)
  return (
    <header className="relative">
      <Art view={view} />
      <div className="page relative grid grid-cols-[min(7rem,30vw)_minmax(0,1fr)] gap-x-4 gap-y-5 pt-32 low:pt-6! sm:grid-cols-[10rem_minmax(0,1fr)] sm:gap-x-8 sm:pt-44 lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-x-12">
        <Poster
          title={view.name}
          kind={kind}
          eager
          image={{ src: view.image, sizes: '(min-width: 64rem) 17rem, (min-width: 40rem) 10rem, 7rem' }}
          transitionName={`poster-${id}`}
          className="self-end shadow-float sm:row-span-2"
        />
        <div className="self-end sm:pt-16 lg:pt-24">
          {/* Opaque, since it may overlap the backdrop. */}
          <KindPill kind={kind} className="bg-[color-mix(in_oklab,var(--color-accent)_15%,var(--color-bg))]!">
            {words.eyebrow}
          </KindPill>
          {view.releaseYear === null ? null : (
            <span className="ms-2.5 text-meta font-semibold tabular-nums">{view.releaseYear}</span>
          )}
          <h1
            className={clsx(
              'mt-3 wrap-anywhere',
              view.name.length > longName
                ? 'font-display text-[clamp(1.5rem,1.1rem+2.4vw,3.25rem)] leading-[1.02] font-extrabold tracking-[-0.03em]'
                : 'text-[clamp(1.75rem,1.1rem+3.9vw,4.25rem)] leading-[0.98] font-extrabold tracking-[-0.03em]',
            )}
          >
            <bdi>{view.name}</bdi>
          </h1>
          {view.original ? (
            <p className="mt-2 text-lead wrap-anywhere text-muted">
              <bdi lang={view.original.language}>{view.original.name}</bdi>
            </p>
          ) : null}
        </div>
        <div className="max-sm:col-span-2">
          {view.tagline ? (
            <p className="text-lead text-muted italic">
              <bdi>{view.tagline}</bdi>
            </p>
          ) : null}
          {view.creators.length > 0 ? (
            <p className="mt-1 wrap-anywhere">
              {/* A line of its own: beside the names it wraps only once the web font has loaded. */}
              <span className="text-muted max-sm:block">{words.creators}</span>{' '}
              <strong className="font-semibold">
                {view.creators.map((name, index) => (
                  <Fragment key={name}>
                    {separatorBefore(index, view.creators)}
                    <Link
                      to="/search"
                      search={{ q: name.slice(0, queryMax), tab: definition.tab }}
                      title={t`More by ${name}`}
                      // A name within a line of the other direction is moved: Chromium finds it under the pointer only as a block.
                      className="inline-block rounded-sm hover:underline"
                    >
                      <bdi>{name}</bdi>
                    </Link>
                  </Fragment>
                ))}
              </strong>
            </p>
          ) : null}
          <div className="mt-4 flex flex-wrap items-center gap-2">
            {averages}
            {length === null ? null : <Pill label={length.label}>{length.value}</Pill>}
          </div>
          <div className="mt-5 flex flex-wrap items-center gap-2">{actions}</div>
        </div>
      </div>
    </header>
  )
}

/** `Intl.ListFormat` would delay hydration in English. */
function separatorBefore(index: number, names: readonly string[]): string {
  if (index === 0) return ''
  if (!isEnglish) return new Intl.ListFormat(language).formatToParts(names)[index * 2 - 1]!.value
  if (index < names.length - 1) return ', '
  return [names.length === 2 ? '' : ',', 'and', ''].join(' ')
}

function Art({ view }: { view: TitleView }) {
  const src = view.backdrop ?? view.image
  return (
    <div aria-hidden className="absolute inset-x-0 top-0 h-72 overflow-hidden low:h-40! sm:h-96 lg:h-[29rem]">
      <Picture
        src={src}
        sizes={view.backdrop === null ? '7rem' : '(min-width: 40rem) 100vw, 88vw'}
        eager
        className={clsx(view.backdrop === null && 'scale-125 opacity-70 blur-3xl')}
        fallback={<div className="size-full bg-accent/12" />}
      />
      <div className="absolute inset-0 bg-[linear-gradient(to_bottom,transparent_20%,color-mix(in_oklab,var(--color-bg)_92%,transparent)_72%,var(--color-bg))]" />
    </div>
  )
}
