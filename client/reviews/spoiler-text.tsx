import { clsx } from 'clsx'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { lazyComponent } from '#client/ui/lazy.ts'
import { textParts } from '#shared/domain/spoilers.ts'
import type { Withheld } from './show-anyway.tsx'

const { AutoLoaded: ShowAnyway } = lazyComponent(async () => (await import('./show-anyway.tsx')).ShowAnyway, {
  isInPage: true,
})

type Text = { text: string; hasSpoilers: boolean }

/**
 * Hidden spoilers are not in the document, because search engines and screen readers would read them: blurred letters of the same number
 * take their place. Nothing is hidden from the author (`isOwn`), and nothing of a text that the reader has asked for (`isRevealed`).
 */
export function SpoilerText({
  value: { text, hasSpoilers },
  label,
  isOwn,
  isRevealed = false,
  className,
}: {
  value: Text
  isOwn: boolean
  isRevealed?: boolean | undefined
  label: string
  className: string
}) {
  const [isShown, setShown] = useState(isRevealed)
  if (hasSpoilers && !isShown && !isOwn)
    return (
      <div className="grid *:[grid-area:1/1]">
        <p
          aria-hidden
          data-mask={masked(text)}
          className={clsx(className, mask, 'overflow-hidden opacity-60')}
        />
        <button
          type="button"
          onClick={() => setShown(true)}
          className="group relative grid items-center justify-items-start rounded-field text-start"
        >
          <span className="inline-flex min-h-9 items-center rounded-field border border-edge bg-surface px-3.5 py-1 text-meta font-semibold group-hover:bg-raised">
            {label}
          </span>
        </button>
      </div>
    )
  return (
    <Revealed isFocused={isShown} as="p" className={className}>
      {textParts(text).map((part, index) =>
        part.isSpoiler && !hasSpoilers ? (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no other identity
          <Spoiler key={index} isOwn={isOwn}>
            {part.text}
          </Spoiler>
        ) : (
          part.text
        ),
      )}
    </Revealed>
  )
}

function Spoiler({ isOwn, children: text }: { isOwn: boolean; children: string }) {
  const [isShown, setShown] = useState(false)
  if (isOwn) return <span className="rounded-sm bg-raised">{text}</span>
  if (isShown)
    return (
      <Revealed isFocused as="span" className="rounded-sm bg-raised">
        {text}
      </Revealed>
    )
  return (
    <button
      type="button"
      aria-label="Spoiler. Show it"
      data-mask={masked(text)}
      onClick={() => setShown(true)}
      className={`${mask} max-w-full overflow-hidden rounded-sm bg-raised text-start align-bottom whitespace-pre-line hover:bg-line`}
    />
  )
}

function Revealed({
  as: Tag,
  isFocused,
  className,
  children,
}: {
  as: 'p' | 'span'
  isFocused: boolean
  className: string
  children: ReactNode
}) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isFocused) element.current?.focus({ preventScroll: true })
  }, [isFocused])
  return (
    <Tag
      dir="auto"
      ref={(node: HTMLElement | null) => void (element.current = node)}
      tabIndex={isFocused ? -1 : undefined}
      className={className}
    >
      {children}
    </Tag>
  )
}

/** Not in the document’s text, so that it is neither read out nor copied. */
const mask = 'before:blur-[6px] before:content-[attr(data-mask)]'

function masked(text: string): string {
  return text.replaceAll(/\S/gu, 'n')
}

/** The reader is not as far, so the server has not sent the text. Why, and how to read it anyway, is lazy-loaded. */
export function WithheldText(of: Withheld) {
  return (
    <div className="min-h-11">
      <ShowAnyway {...of} />
    </div>
  )
}
