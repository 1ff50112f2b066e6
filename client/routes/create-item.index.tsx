import { createFileRoute } from '@tanstack/react-router'
import { ChooserScreen } from '#client/catalogue/create/chooser-screen.tsx'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/create-item/')({
  head: () => ({ meta: [{ title: t`Add a title` }] }),
  component: ChooserScreen,
})
