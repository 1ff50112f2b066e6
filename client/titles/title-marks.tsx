import { lazyComponent } from '#client/ui/lazy.ts'

export const { AutoLoaded: TitleMarks } = lazyComponent(
  async () => (await import('./title-marks-box.tsx')).TitleMarksBox,
)
