import { createFileRoute } from '@tanstack/react-router'
import { ChooserScreen } from '#client/catalogue/create/chooser-screen.tsx'

export const Route = createFileRoute('/create-item/')({
  head: () => ({ meta: [{ title: 'Add a title' }] }),
  component: ChooserScreen,
})
