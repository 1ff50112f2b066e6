import { Link } from '@tanstack/react-router'
import { useSite } from '#client/app/site.ts'
import { sourceLanguage } from '#shared/domain/languages.ts'
import { sources } from '#shared/domain/kinds.ts'
import { pageTitles } from '#shared/domain/site-pages.ts'
import { Brand } from './brand.tsx'
import { ShortcutsButton } from './shortcuts.tsx'
import { t } from '#shared/domain/message.ts'

/** The data sources’ terms require the attributions. */
export function Footer() {
  const site = useSite()
  return (
    <footer className="mt-16 border-t border-line lazy-paint sm:mt-24">
      <div className="page grid gap-x-12 gap-y-8 py-10 text-meta text-muted md:grid-cols-[1fr_1.8fr]">
        <div className="grid content-start justify-items-start gap-3">
          <Link
            to="/"
            activeOptions={{ exact: true }}
            aria-label={t`${site.name}, home`}
            className="rounded-full"
          >
            <Brand />
          </Link>
          <p className="max-w-[22.6em]">
            {site.description || t`Movies, TV shows, books and games, among friends.`}
          </p>
          {site.pages.length === 0 && site.contact === null ? null : (
            <ul aria-label="About this site" className="flex flex-wrap gap-x-4 gap-y-1">
              {site.pages.map((page) => (
                <li key={page}>
                  <a href={`/${page}`} className="link min-h-6 font-medium">
                    {pageTitles[page]}
                  </a>
                </li>
              ))}
              {site.contact === null ? null : (
                <li>
                  <a href={`mailto:${site.contact}`} className="link min-h-6 font-medium">
                    Contact
                  </a>
                </li>
              )}
            </ul>
          )}
          <Link to="/lists" search={{}} className="link min-h-6 font-medium">
            Lists
          </Link>
          <a href="/docs" className="link min-h-6 font-medium">
            API for developers
          </a>
          <ShortcutsButton />
        </div>
        <ul
          aria-label="Where the data comes from"
          className="grid content-start gap-3 sm:grid-cols-[auto_1fr]"
        >
          {Object.values(sources).map(({ name, href, what, notice }) => (
            <Credit key={name} name={name} href={href} what={what}>
              {notice}
            </Credit>
          ))}
        </ul>
      </div>
    </footer>
  )
}

function Credit({
  name,
  href,
  what,
  children,
}: {
  name: string
  href: string
  what: string
  children: string
}) {
  return (
    <li className="grid gap-x-6 gap-y-0.5 sm:col-span-2 sm:grid-cols-subgrid">
      <a
        href={href}
        target="_blank"
        rel="noreferrer"
        className="link min-h-6 justify-self-start whitespace-nowrap"
      >
        {name}
      </a>
      <div className="max-w-[40em]">
        <span className="text-ink">{what}.</span> <bdi lang={sourceLanguage}>{children}</bdi>
      </div>
    </li>
  )
}
