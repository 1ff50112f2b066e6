import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { BackLink } from '#client/ui/back-link.tsx'
import { ButtonLink, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Form, TextField } from '#client/ui/field.tsx'
import { Pill } from '#client/ui/pill.tsx'

export function CreateGameScreen() {
  const [isTried, setIsTried] = useState(false)
  return (
    <div data-kind="game" className="page py-6 sm:py-10">
      <BackLink render={<Link to="/create-item" />}>Add a title</BackLink>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-h1">Create a game</h1>
        <Pill>Soon</Pill>
      </div>
      <p className="mt-3 max-w-[37.3em] text-lead text-muted">
        A look ahead: games cannot be added by hand yet, and this form sends nothing.
      </p>
      <div className="mt-8 grid max-w-2xl gap-5">
        <Form onSubmit={() => setIsTried(true)} className="card border-dashed bg-transparent">
          <TextField label="Name" name="name" autoComplete="off" />
          <TextField label="Platform" name="platform" autoComplete="off" />
          <TextField label="Publisher" name="publisher" autoComplete="off" />
          <div className="actions">
            <SubmitButton variant="outline">Create game</SubmitButton>
          </div>
          <div role="status" className="empty:hidden">
            {isTried ? (
              <Callout
                title="Nothing was sent."
                action={
                  <ButtonLink
                    variant="outline"
                    icon={<Search aria-hidden />}
                    render={<Link to="/search" search={{ tab: 'games' }} />}
                  >
                    Search games
                  </ButtonLink>
                }
              >
                Games come into the catalogue from the search: find yours there and press Add.
              </Callout>
            ) : null}
          </div>
        </Form>
      </div>
    </div>
  )
}
