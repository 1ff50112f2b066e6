import { Link, useNavigate } from '@tanstack/react-router'
import { BookOpen, House, Plus, Search, UserRound } from 'lucide-react'
import { useEffect } from 'react'
import { toMember } from '#client/app/links.ts'
import type { SessionUser } from '#client/app/session.ts'
import { draftOwner } from '#client/ui/forget-drafts.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { useKey } from './keys.ts'
import { openLog, useLogRequest } from '#client/titles/log-request.ts'

const { Component: LogDialog, load } = lazyComponent(async () => (await import('./log-dialog.tsx')).LogDialog)

const entryClass =
  'picked grid h-full grow basis-0 content-end justify-items-center gap-0.5 pb-2 text-tiny text-muted [&[aria-current=page]]:text-ink [&_svg]:size-5'

export function MemberShell({ user }: { user: SessionUser }) {
  const request = useLogRequest()
  const navigate = useNavigate()
  useEffect(() => {
    draftOwner.id = user.id
  }, [user.id])
  useEffect(() => {
    if (request !== null) load()
  }, [request])
  useKey('n', () => openLog({}))
  return (
    <>
      <nav aria-label="Quick access" className="bottom-bar">
        <Link to="/" activeOptions={{ exact: true }} className={entryClass}>
          <House aria-hidden />
          Home
        </Link>
        <Link
          to="/search"
          className={entryClass}
          onClick={(event) => {
            event.preventDefault()
            // During the press: later, a phone would not show its keyboard.
            document.querySelector<HTMLElement>('input[name=q]')?.focus()
            void navigate({ to: '/search' })
          }}
        >
          <Search aria-hidden />
          Search
        </Link>
        <button type="button" aria-haspopup="dialog" onClick={() => openLog({})} className={entryClass}>
          <span className="grid size-8 place-items-center rounded-full bg-ink text-bg">
            <Plus aria-hidden />
          </span>
          Log
        </button>
        <Link to="/diary" className={entryClass}>
          <BookOpen aria-hidden />
          Diary
        </Link>
        <Link {...toMember(user.id)} className={entryClass}>
          <UserRound aria-hidden />
          Me
        </Link>
      </nav>
      <LogDialog request={request} />
    </>
  )
}
