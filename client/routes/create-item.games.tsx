import { createFileRoute } from '@tanstack/react-router'
import { CreateGameScreen } from '#client/catalogue/create/create-game-screen.tsx'
import { t } from '#shared/domain/message.ts'

export const Route = createFileRoute('/create-item/games')({
  head: () => ({ meta: [{ title: t`Create a game` }] }),
  component: CreateGameScreen,
})
