import type { MemberMenuProps } from './member-menu-button.tsx'
import { useSession } from '#client/app/session.ts'
import { lazyComponent } from '#client/ui/lazy.ts'

const { AutoLoaded: MemberMenuButton } = lazyComponent(
  async () => (await import('./member-menu-button.tsx')).MemberMenuButton,
)

/** A button that opens the choices to mute, block and report a member, and below a review to follow them. Visitors and the member do not see it. */
export function MemberMenu(props: MemberMenuProps) {
  return useSession() === null ? null : <MemberMenuButton {...props} />
}
