import { Link } from '@tanstack/react-router'
import { useLogout } from '#client/accounts/logout.ts'
import { toMember } from '#client/app/links.ts'
import { Bell } from '#client/notifications/bell.tsx'
import type { SessionUser } from '#client/app/session.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { BarLink, MenuButton } from './bar-parts.tsx'
import { MemberMenu } from './member-menu.tsx'

export { MemberShell } from './member-shell.tsx'

export function MemberBar({ user }: { user: SessionUser }) {
  return (
    <>
      <nav aria-label="Main" className="flex items-center gap-1 max-lg:hidden">
        <BarLink render={<Link to="/for-you" />}>For You</BarLink>
        <BarLink render={<Link to="/items" />}>Items</BarLink>
        <BarLink render={<Link to="/diary" />}>Diary</BarLink>
        <BarLink render={<Link to="/settings" />}>Settings</BarLink>
        <LogoutButton />
      </nav>
      {/* The narrowest windows have no room for it; the menu has it too. */}
      <Bell className="max-[22.4rem]:hidden" />
      <OwnProfileLink user={user} />
      <MenuButton className="max-sm:-me-2" />
      <MemberMenu user={user} />
    </>
  )
}

function LogoutButton() {
  const { logOut, isPending } = useLogout()
  return (
    <Button variant="ghost" busy={isPending} onClick={() => void logOut()} className="px-3.5">
      Logout
    </Button>
  )
}

function OwnProfileLink({ user }: { user: SessionUser }) {
  return (
    <Link
      {...toMember(user.id)}
      title={user.username}
      className="grid size-11 shrink-0 place-items-center rounded-full"
    >
      <Avatar name={user.username} src={user.profilePicture} />
      {/* Not an aria-label: WCAG 2.5.3 would require it to begin with the initials that some avatars show. */}
      <VisuallyHidden>Your profile, {user.username}</VisuallyHidden>
    </Link>
  )
}
