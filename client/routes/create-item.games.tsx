import { createFileRoute } from '@tanstack/react-router'
import { CreateGameScreen } from '#client/catalogue/create/create-game-screen.tsx'

export const Route = createFileRoute('/create-item/games')({
  head: () => ({ meta: [{ title: 'Create a game' }] }),
  component: CreateGameScreen,
})
