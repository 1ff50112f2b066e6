import { join } from 'node:path'
import { type IdSource, type Kind, kindNames, kinds } from '#shared/domain/kinds.ts'
import type { TitleName } from '#shared/domain/title-names.ts'
import { readData, readKind, type StarterTitle } from './schema.ts'

export const starterTitles = Object.fromEntries(
  kindNames.map((kind) => [kind, readKind('titles', kind)?.titles ?? []]),
) as Record<Kind, StarterTitle[]>

export const starterStories = Object.entries(readData('stories', 'stories.json').stories)

export function starterId(kind: Kind, slug: string): string {
  return `${kinds[kind].path}/${slug}`
}

export function externalIdsOf(kind: Kind, title: StarterTitle): { source: IdSource; external_id: string }[] {
  const ids: [IdSource, string | number | undefined][] = [
    ['starter', starterId(kind, title.slug)],
    [kinds[kind].idSources[0], title.tmdbId],
    ['tvdb', title.tvdbId],
    ['igdb', title.igdbId],
    ['isbn13', title.isbn13],
    [title.olid?.endsWith('M') ? 'olid-edition' : 'olid-work', title.olid],
  ]
  return ids.flatMap(([source, id]) => (id === undefined ? [] : [{ source, external_id: String(id) }]))
}

export function namesOf({ original, names = {} }: StarterTitle): TitleName[] {
  const { language, name, romanised } = original ?? {}
  return [
    ...(language && name ? [{ kind: 'original' as const, language, name }] : []),
    ...(language && romanised ? [{ kind: 'romanised' as const, language, name: romanised }] : []),
    ...Object.entries(names).map(([code, local]) => ({
      kind: 'local' as const,
      language: code,
      name: local,
    })),
  ]
}

/** Increment it when pictures change: browsers cache a picture by its name for a year. */
const edition = 1
/** One width each. The program may not be able to write to it. */
export const starterFolder = join(import.meta.dirname, 'pictures')
/** In pixels, the largest that pages use. */
export const pictureWidths = { poster: 640, backdrop: 1280, portrait: 320 } as const

export function pictureOf(kind: Kind, title: StarterTitle, shape: 'poster' | 'backdrop'): string {
  return `/starter/${shape}-${edition}-${kinds[kind].path}-${title.slug}-${pictureWidths[shape]}.webp`
}

/** `position` in members.json, from 1. */
export function portraitOf(position: number): string {
  return `/starter/portrait-${edition}-${position}-${pictureWidths.portrait}.webp`
}
