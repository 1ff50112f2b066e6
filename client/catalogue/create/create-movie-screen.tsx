import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '#client/app/session.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Form, type FormErrors, TextArea, TextField } from '#client/ui/field.tsx'
import { FileField, useFileUrl } from '#client/ui/file-field.tsx'
import { PosterCard } from '#client/ui/poster-card.tsx'
import { useQuestion } from '#client/ui/question.tsx'
import { showDone, toasts } from '#client/ui/toasts.ts'
import { SubmitButton } from '#client/ui/button.tsx'
import { descriptionMax, nameMax } from '#shared/domain/limits.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { CreationError, useCreateMovie, useFindDuplicate, useNearDuplicates } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

const steps = { uploading: t`Uploading…`, creating: t`Creating…` }

export function CreateMovieScreen() {
  const navigate = useNavigate()
  const session = useSession()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [poster, setPoster] = useState<File | null>(null)
  const [errors, setErrors] = useState<FormErrors>({})
  const [step, setStep] = useState<keyof typeof steps>('creating')
  const posterUrl = useFileUrl(poster)
  const create = useCreateMovie(setStep)
  const similar = useNearDuplicates(name)
  const findDuplicate = useFindDuplicate()
  const [ask, question] = useQuestion()

  async function submit() {
    const trimmed = name.trim()
    if (trimmed === '') return setErrors({ name: messages.nameRequired })
    if (trimmed.length > nameMax) return setErrors({ name: t`Names are at most ${nameMax} characters.` })
    if (description.length > descriptionMax)
      return setErrors({ description: t`Descriptions are at most ${descriptionMax} characters.` })
    if (session === null) return toasts.add({ title: messages.pleaseLogInFirst, tone: 'error' })
    // Without a response, nobody is kept from creating it.
    const same = await findDuplicate(trimmed).catch(() => undefined)
    if (same === undefined) send(trimmed)
    else
      ask({
        title: t`“${name.trim()}” is in the catalogue already`,
        description: t`A second entry would split its ratings and reviews. If yours is another movie of the same name, create it.`,
        label: t`Create another`,
        canUndo: true,
        onConfirm: () => send(trimmed),
      })
  }

  function send(trimmed: string) {
    create.mutate(
      { name: trimmed, description: description.trim(), poster },
      {
        onSuccess(movie) {
          showDone(messages.movieCreated)
          void navigate({ to: '/movies/$movieId', params: { movieId: String(movie.id) } })
        },
      },
    )
  }

  return (
    <div data-kind="movie" className="page py-6 sm:py-10">
      <BackLink render={<Link to="/create-item" />}>Add a title</BackLink>
      <h1 className="mt-2 text-h1">Create a movie</h1>
      <div className="mt-8 grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-16">
        <Form errors={errors} onSubmit={() => void submit()} className="card">
          <TextField
            label="Movie Name"
            name="name"
            value={name}
            onChange={setName}
            required
            autoComplete="off"
          />
          {similar.length === 0 ? null : (
            <div role="status" className="-mt-2 text-meta">
              <p className="text-muted">In the catalogue already:</p>
              <ul className="mt-1 grid justify-items-start">
                {similar.map(({ id, name: found, releaseYear }) => (
                  <li key={id}>
                    <Link
                      to="/movies/$movieId"
                      params={{ movieId: String(id) }}
                      className="link inline-flex min-h-6 items-center"
                    >
                      {found}
                      {releaseYear === null ? '' : ` (${releaseYear})`}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          )}
          <TextArea
            label="Description"
            name="description"
            note="optional"
            value={description}
            onChange={setDescription}
            limit={descriptionMax}
            rows={5}
            placeholder="What is it about?"
          />
          <FileField
            label="Movie Poster"
            note="optional"
            hint="JPG, PNG, GIF or WebP. 5MB max. Upright pictures of 2:3 fit best."
            chooseLabel="Choose a poster"
            shape="poster"
            file={poster}
            onChange={setPoster}
            disabled={create.isPending}
            busyText={create.isPending && step === 'uploading' ? steps.uploading : ''}
          />
          {create.isError ? <Failure error={create.error} /> : null}
          <div className="actions">
            <SubmitButton busy={create.isPending} busyLabel={steps[step]}>
              Create movie
            </SubmitButton>
          </div>
        </Form>
        {question}
        <section aria-label="Preview" className="lg:sticky lg:top-24">
          <p className="mb-3 text-meta text-muted">This is how its card will look.</p>
          <PosterCard
            kind="movie"
            kindLabel={kinds.movie.words.one}
            title={name.trim() || t`Your movie`}
            image={{ src: posterUrl, sizes: '11rem' }}
            className="max-w-36 lg:max-w-none"
          >
            {description.trim() ? (
              <p dir="auto" className="line-clamp-4 text-meta wrap-anywhere text-muted">
                {description}
              </p>
            ) : null}
          </PosterCard>
        </section>
      </div>
    </div>
  )
}

function Failure({ error }: { error: Error }) {
  const reason = error instanceof CreationError ? error.reason : undefined
  return (
    <Callout tone="error" title={error instanceof CreationError ? error.message : messages.movieFailed}>
      {reason} Nothing you entered is lost.
    </Callout>
  )
}
