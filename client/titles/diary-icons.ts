import {
  BookmarkCheck,
  CircleCheckBig,
  CirclePause,
  CirclePlay,
  CircleX,
  type LucideIcon,
} from 'lucide-react'
import type { DiaryStatus } from '#shared/domain/kinds.ts'

export const diaryIcons: Record<DiaryStatus, LucideIcon> = {
  want: BookmarkCheck,
  started: CirclePlay,
  paused: CirclePause,
  finished: CircleCheckBig,
  dropped: CircleX,
}
