import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useSession } from '#client/app/session.ts'
import { trpc } from '#client/app/trpc.ts'
import { changeUser } from '#client/app/user.ts'
import { Select } from '#client/ui/select.tsx'
import { includesRole } from '#shared/domain/roles.ts'
import { type SectionProps, toAdmin } from './section.ts'
import { sections } from './sections.ts'

export function AdminScreen({
  section,
  notFound,
  ...props
}: SectionProps & { section: string; notFound: ReactNode }) {
  const known = useSession()?.user
  const { data, isPlaceholderData, error } = trpc.accounts.me.useQuery(undefined, {
    ...(known && { placeholderData: { user: known } }),
  })
  const user = data?.user
  const navigate = useNavigate()
  useEffect(() => {
    // The role may have changed since the login.
    if (user && !isPlaceholderData && user.role !== known?.role) changeUser(user.id, () => user)
  }, [user, isPlaceholderData, known])
  const shown = sections.filter(({ role }) => includesRole(user?.role ?? 'member', role))
  const current = shown.find(({ path }) => path === section) ?? (section === '' ? shown[0] : undefined)
  if (!current) return isPlaceholderData && !error ? null : notFound
  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 py-6 lg:grid-cols-[12rem_minmax(0,1fr)] lg:py-10">
      <nav aria-label="Administration" className="max-lg:hidden">
        <ul className="sticky top-24 grid gap-1">
          {shown.map(({ path, label, Icon }) => (
            <li key={path}>
              <Link
                {...toAdmin(pathOf(path))}
                activeOptions={{ exact: true }}
                aria-current={path === current.path ? 'page' : undefined}
                className="flex min-h-11 items-center gap-3 rounded-item px-3 text-label text-muted transition-colors hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink"
              >
                <Icon aria-hidden className="size-4.5" />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="lg:hidden">
        <Select
          shape="field"
          label="Section"
          value={current.path}
          onChange={(path) => void navigate(toAdmin(pathOf(path)))}
          options={shown.map(({ path, label }) => ({ value: path, label }))}
        />
      </div>
      <div className="min-h-svh min-w-0">
        <current.Screen {...props} />
      </div>
    </div>
  )
}

function pathOf(path: string): string {
  return path === sections[0]!.path ? '' : path
}
