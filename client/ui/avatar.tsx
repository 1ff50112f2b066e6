import { clsx } from 'clsx'
import type { CSSProperties, ReactElement } from 'react'
import { Picture } from './picture.tsx'
import { renderAs } from './render.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

const sizes = {
  sm: 'size-7 text-[0.6875rem]',
  md: 'size-9 text-[0.8125rem]',
  lg: 'size-11 text-body',
  xl: 'size-24 text-[2rem] sm:size-32 sm:text-[2.75rem]',
}

type Person = { name: string; src?: string | null | undefined }

/** Hidden from screen readers unless `labelled`: the name is usually beside it. */
export function Avatar({
  name,
  src,
  size = 'md',
  labelled = false,
  className,
}: Person & {
  size?: keyof typeof sizes | undefined
  labelled?: boolean | undefined
  className?: string | undefined
}) {
  return (
    <span
      {...(labelled ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true })}
      className={clsx('relative block shrink-0 overflow-hidden rounded-full', sizes[size], className)}
    >
      <Picture
        src={src}
        sizes={size === 'xl' ? '8rem' : '2.75rem'}
        fallback={
          <span
            className="avatar-tint grid size-full place-items-center rounded-full font-display font-bold"
            style={{ '--hue': hue(name) } as CSSProperties}
          >
            {initials(name)}
          </span>
        }
      />
    </span>
  )
}

export function AvatarStack<Shown extends Person>({
  people,
  render,
}: {
  people: readonly Shown[]
  render?: ((person: Shown) => ReactElement) | undefined
}) {
  return (
    <ul className="flex items-center ps-2">
      {people.map((person) => (
        <li
          key={person.name}
          title={person.name}
          className={clsx(
            'rounded-full border-2 border-bg leading-none',
            // A link needs 24 px that its neighbour does not cover.
            render === undefined ? '-ms-2' : '-ms-1.5',
          )}
        >
          {render === undefined ? (
            <Avatar {...person} size="sm" labelled />
          ) : (
            renderAs(render(person), {
              className: 'block rounded-full focus-visible:outline-2 focus-visible:outline-focus',
              children: (
                <>
                  <Avatar {...person} size="sm" />
                  <VisuallyHidden>{person.name}</VisuallyHidden>
                </>
              ),
            })
          )}
        </li>
      ))}
    </ul>
  )
}

function initials(name: string) {
  const words = name
    .trim()
    .split(/[\s._-]+/)
    .filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0] ?? '?']
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase()
}

function hue(name: string) {
  let hash = 0
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 3600
  return hash / 10
}
