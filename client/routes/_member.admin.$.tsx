import { createFileRoute } from '@tanstack/react-router'
import { AdminScreen } from '#client/admin/admin-screen.tsx'
import { NotFoundPage } from './-shell/problems.tsx'
import { t } from '#shared/domain/message.ts'

/** One route, whose code nobody else loads. */
export const Route = createFileRoute('/_member/admin/$')({
  validateSearch: (search): {} => search,
  head: () => ({ meta: [{ title: t`Administration` }] }),
  component: AdminRoute,
})

function AdminRoute() {
  const { _splat = '' } = Route.useParams()
  const [section = '', ...rest] = _splat.split('/')
  return (
    <AdminScreen
      section={section}
      rest={rest.join('/')}
      search={Route.useSearch()}
      notFound={<NotFoundPage />}
    />
  )
}
