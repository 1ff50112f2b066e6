import type { MemberMenuProps } from './member-menu-button.tsx'
import { useSession } from '#client/app/session.ts'
import { lazyComponent } from '#client/ui/lazy.ts'

const { AutoLoaded: MemberMenuButton } = lazyComponent(
  async () => (await import('./member-menu-button.tsx')).MemberMenuButton,
)

/** Renders nothing for visitors and for the member. */
export function MemberMenu(props: MemberMenuProps) {
  return useSession() === null ? null : <MemberMenuButton {...props} />
}
