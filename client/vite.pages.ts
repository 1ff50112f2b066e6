import type { Plugin, Rolldown } from 'vite'
import type { PageScripts } from './server.tsx'

/** Names the scripts that each page starts with. `memberParts` are the ends of the paths of what members load at once. */
export function pageScripts(memberParts: readonly string[]): Plugin {
  return {
    name: 'page-scripts',
    apply: (_config, { isSsrBuild, command }) => command === 'build' && !isSsrBuild,
    generateBundle(_options, bundle) {
      const chunks = new Map(
        Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])),
      )
      const withImports = (files: Iterable<string>): Set<string> => {
        const all = new Set<string>()
        const open = new Set<string>()
        const add = (file: string) => {
          if (open.has(file)) return
          open.add(file)
          for (const imported of chunks.get(file)?.imports ?? []) add(imported)
          all.add(file)
        }
        for (const file of files) add(file)
        return all
      }
      const isPart = ({ moduleIds }: Rolldown.OutputChunk) =>
        moduleIds.some((id) => memberParts.some((part) => id.endsWith(`/${part}`)))
      const entry = [...chunks.values()].find(({ isEntry }) => isEntry)!.fileName
      const routes = new Map<string, string[]>()
      for (const [file, { moduleIds }] of chunks)
        for (const id of moduleIds) {
          const route = /\/routes\/([\w.$-]+)\.tsx\?tsr-split=/.exec(id)?.[1]
          if (route !== undefined) routes.set(route, [...(routes.get(route) ?? []), file])
        }
      const pages = [...routes].map(([route, splits]): [string, PageScripts] => {
        const first = withImports([...splits, entry])
        // The entry starts the app, so it comes last.
        first.delete(entry)
        const files = [...first, entry]
        const all = new Set(files)
        for (const file of all)
          for (const lazy of chunks.get(file)?.dynamicImports ?? [])
            if (isPart(chunks.get(lazy)!)) for (const one of withImports([lazy])) all.add(one)
        return [
          route,
          { files, memberFiles: [...all].slice(files.length), isMembers: route.startsWith('_member') },
        ]
      })
      this.emitFile({
        type: 'asset',
        fileName: '.vite/pages.json',
        source: JSON.stringify(Object.fromEntries(pages)),
      })
    },
  }
}
