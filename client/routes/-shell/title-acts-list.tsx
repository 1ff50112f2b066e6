import { useEffect } from 'react'
import { BookmarkAct } from '#client/diary/bookmark-act.tsx'
import { DiaryAct } from '#client/diary/diary-act.tsx'
import { ListAct } from '#client/lists/list-act.tsx'
import { useLogInPrompt } from '#client/app/log-in.tsx'
import { RateAct } from '#client/reviews/rate-act.tsx'
import { useSession } from '#client/app/session.ts'
import { FavoriteAct } from '#client/social/favorite-act.tsx'
import { type TitleAct, useTitleActs } from '#client/titles/title-acts.ts'
import { messages } from '#shared/texts/messages.ts'

/** Does what was pressed on posters. Asks visitors to log in. Use `TitleMenuHost`, which lazy-loads this. */
export function TitleActsList() {
  const isMember = useSession() !== null
  return useTitleActs().map(({ key, ...act }) =>
    isMember ? <Act key={key} {...act} /> : <LogInFirst key={`visitor ${key}`} />,
  )
}

function Act({ title, act, others = [] }: TitleAct) {
  if (act === 'list') return <ListAct titles={[title, ...others]} />
  if (act === 'bookmark') return <BookmarkAct title={title} />
  if (act === 'favorite') return <FavoriteAct title={title} />
  if (act === 'diary' || act === 'want') return <DiaryAct title={title} isWant={act === 'want'} />
  return <RateAct title={title} stars={act} />
}

function LogInFirst() {
  const ask = useLogInPrompt()
  useEffect(() => {
    ask(messages.pleaseLogInFirst)
    // oxlint-disable-next-line react/exhaustive-deps -- asks once
  }, [])
  return null
}
