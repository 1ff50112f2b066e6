import type { Plugin, Rolldown } from 'vite'
import type { PageScripts } from './server.tsx'

/** `imports` are the static ones, `lazyImports` the dynamic ones. */
type Module = {
  id: string
  length: number
  imports: Set<Module>
  lazyImports: Set<Module>
  /** Whether it is the entry or imported dynamically. */
  isStart: boolean
}
/** `parts` are the lazy-loaded modules that the page loads at once. */
type Page = { route: string; starts: Module[]; parts: Module[] }
type Kinds = {
  /** The lazy-loaded modules that pages load at once, by file name. */
  firstParts: readonly string[]
  /** Those that every page loads when it is idle. */
  idleParts: readonly string[]
  /** Whether a module is in a chunk that is not planned. */
  isApart: (id: string) => boolean
}
type Chunk = { length: number; modules: Module[]; needs: Set<Chunk> }

/** The cost of a request, in characters of source code. On a member’s page with more than `chunksMax` chunks it is multiplied by `crowdedFactor`. */
const requestLength = 4_000
const chunksMax = 9
const crowdedFactor = 75
/** The weight of a page when chunks are merged: highest for pages with a budget, lowest for parts that load on demand. */
const weights = { budgeted: 200, visitors: 10, members: 1, parts: 0.02 }
const isMembers = (route: string) => route.startsWith('_member')
const isBudgeted = (route: string) => /^(index|search|movies\.\$movieId)$/.test(route)

const isHtml = (id: string) => id.endsWith('.html')
const isOneOf = (names: readonly string[], { id }: Module) => names.some((name) => id.endsWith(`/${name}`))

function readModules(context: Rolldown.PluginContext): Module[] {
  const modules = new Map<string, Module>()
  // In order of id: the order in which modules are loaded differs between builds, and the plan depends on the order.
  const infos = [...context.getModuleIds()].sort().map((id) => context.getModuleInfo(id)!)
  for (const { id, code, isEntry, dynamicImporters } of infos)
    modules.set(id, {
      id,
      length: code?.length ?? 0,
      imports: new Set(),
      lazyImports: new Set(),
      isStart: isEntry || dynamicImporters.length > 0,
    })
  // From the importers: `importedIds` does not contain what CommonJS modules require.
  for (const { id, importers, dynamicImporters } of infos) {
    const imported = modules.get(id)!
    for (const importer of importers) modules.get(importer)?.imports.add(imported)
    for (const importer of dynamicImporters) modules.get(importer)?.lazyImports.add(imported)
  }
  return [...modules.values()]
}

/** Returns what is imported statically, directly or not, and the modules themselves. */
function closureOf(modules: Iterable<Module>): Set<Module> {
  const closure = new Set(modules)
  for (const one of closure) for (const imported of one.imports) closure.add(imported)
  return closure
}

function pagesOf(modules: Module[], { firstParts }: Kinds): Page[] {
  const entry = modules.find(({ id }) => isHtml(id))!
  const routeOf = ({ id }: Module) => /\/routes\/([\w.$-]+)\.tsx\?tsr-split=/.exec(id)?.[1]
  const routes = Map.groupBy(
    modules.filter((one) => routeOf(one) !== undefined),
    (one) => routeOf(one)!,
  )
  return [...routes].map(([route, splits]) => {
    const starts = [entry, ...splits]
    const parts = new Set<Module>()
    const addParts = (loaded: Iterable<Module>) => {
      for (const { lazyImports } of closureOf(loaded))
        for (const part of lazyImports) {
          if (!isOneOf(firstParts, part) || parts.has(part)) continue
          parts.add(part)
          addParts([part])
        }
    }
    addParts(starts)
    return { route, starts, parts: [...parts] }
  })
}

/**
 * Assigns modules to chunks, with their imports, except those for which `isApart` returns true. First, modules that the same entries and
 * lazy-loaded modules need form a chunk. Then, from the smallest on, two chunks are merged if the request that this saves on the pages
 * that load both outweighs the unneeded code that other pages load. What Home starts with is one chunk. Returns the names of the chunks.
 */
function planChunks(modules: Module[], pages: Page[], { idleParts, isApart }: Kinds): Map<string, string> {
  const starts = modules.filter(({ isStart }) => isStart)
  const keys = new Map<Module, string>()
  for (const [index, start] of starts.entries())
    for (const one of closureOf([start])) keys.set(one, `${keys.get(one) ?? ''} ${index}`)
  const ofHome = closureOf(pages.find(({ route }) => route === 'index')!.starts)
  for (const one of ofHome) keys.set(one, 'app')
  const [entry] = pages[0]!.starts
  // The entry, which creates the router, is evaluated in a task of its own.
  const apart = closureOf(modules.filter(({ id }) => isApart(id))).union(new Set([entry!, ...entry!.imports]))
  const chunkOf = new Map<Module, Chunk>()
  const chunks = new Set<Chunk>()
  for (const together of Map.groupBy(
    modules.filter((one) => keys.has(one) && !apart.has(one)),
    (one) => keys.get(one),
  ).values()) {
    const length = together.reduce((sum, one) => sum + one.length, 0)
    const chunk: Chunk = { length, modules: together, needs: new Set() }
    chunks.add(chunk)
    for (const one of together) chunkOf.set(one, chunk)
  }
  for (const [{ imports }, chunk] of chunkOf)
    for (const imported of closureOf(imports)) {
      const other = chunkOf.get(imported)
      if (other !== undefined && other !== chunk) chunk.needs.add(other)
    }

  const withNeeds = (first: Iterable<Chunk>) => {
    const all = new Set(first)
    for (const chunk of all) for (const needed of chunk.needs) all.add(needed)
    return all
  }
  const load = (loaded: Module[], weight: number) => ({
    chunks: withNeeds(loaded.flatMap((one) => chunkOf.get(one) ?? [])),
    weight,
  })
  const atOnce = new Set(pages.flatMap((page) => [...page.starts, ...page.parts]))
  const loads = [
    ...pages
      .filter(({ route }) => !isMembers(route))
      .map((page) => load(page.starts, isBudgeted(page.route) ? weights.budgeted : weights.visitors)),
    ...pages.map((page) => load([...page.starts, ...page.parts], weights.members)),
    load([entry!, ...starts.filter((one) => isOneOf(idleParts, one))], weights.visitors),
    ...starts.filter((one) => !atOnce.has(one)).map((one) => load([one], weights.parts)),
  ]

  /** Returns whether the chunks would import each other, through a third, if they became one. */
  const isCircular = (a: Chunk, b: Chunk) =>
    [[a, b] as const, [b, a] as const].some(([from, to]) =>
      withNeeds([...from.needs].filter((needed) => needed !== to)).has(to),
    )
  function savedBy(a: Chunk, b: Chunk): number {
    let saved = 0
    for (const { chunks: loaded, weight } of loads) {
      const hasA = loaded.has(a)
      const hasB = loaded.has(b)
      const isCrowded = weight === weights.members && loaded.size > chunksMax
      if (hasA && hasB) saved += weight * requestLength * (isCrowded ? crowdedFactor : 1)
      else if (hasA || hasB)
        for (const more of withNeeds([hasA ? b : a]))
          if (!loaded.has(more))
            saved -= weight * (more.length + (more === a || more === b ? 0 : requestLength))
    }
    return saved
  }
  function merge(from: Chunk, into: Chunk): void {
    chunks.delete(from)
    into.length += from.length
    into.modules.push(...from.modules)
    into.needs = into.needs.union(from.needs).difference(new Set([from, into]))
    for (const chunk of chunks) if (chunk.needs.delete(from)) chunk.needs.add(into)
    for (const one of loads)
      if (one.chunks.delete(from) || one.chunks.has(into)) one.chunks = withNeeds([...one.chunks, into])
  }

  const waiting = new Set(chunks)
  while (waiting.size > 0) {
    const smallest = [...waiting].reduce((least, one) => (one.length < least.length ? one : least))
    waiting.delete(smallest)
    let best: Chunk | undefined
    let mostSaved = 0
    for (const other of chunks) {
      const saved = other === smallest ? 0 : savedBy(smallest, other)
      if (saved > mostSaved && !isCircular(smallest, other)) [best, mostSaved] = [other, saved]
    }
    if (best === undefined) continue
    merge(smallest, best)
    waiting.add(best)
  }
  return new Map(
    [...chunks].flatMap((chunk, index) => {
      const name = chunk.modules.some((one) => ofHome.has(one)) ? 'app' : `part${index}`
      return chunk.modules.map(({ id }) => [id, name] as const)
    }),
  )
}

/** Returns a function that lists the files of some modules, each after those that it imports. */
function filesIn(bundle: Rolldown.OutputBundle): (modules: Module[]) => string[] {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const fileOf = new Map(chunks.flatMap((one) => one.moduleIds.map((id) => [id, one.fileName] as const)))
  const importsOf = new Map(chunks.map((one) => [one.fileName, one.imports] as const))
  return (modules) => {
    const seen = new Set<string>()
    const files: string[] = []
    const add = (file: string) => {
      if (seen.has(file)) return
      seen.add(file)
      for (const imported of importsOf.get(file) ?? []) add(imported)
      files.push(file)
    }
    for (const { id } of modules) if (fileOf.has(id)) add(fileOf.get(id)!)
    return files
  }
}

/** Returns a function that names the chunk of a module, and a plugin that plans the chunks and writes pages.json. */
export function plannedChunks(kinds: Kinds) {
  let plan = new Map<string, string>()
  let pages: Page[] = []
  const plugin: Plugin = {
    name: 'planned-chunks',
    apply: (_config, { isSsrBuild, command }) => command === 'build' && !isSsrBuild,
    buildEnd() {
      const modules = readModules(this)
      for (const name of [...kinds.firstParts, ...kinds.idleParts])
        if (!modules.some((one) => one.isStart && isOneOf([name], one)))
          this.error(`client/vite.config.ts: no module ${name} is loaded lazily.`)
      pages = pagesOf(modules, kinds)
      plan = planChunks(modules, pages, kinds)
    },
    generateBundle(_options, bundle) {
      const filesOf = filesIn(bundle)
      const scripts = pages.map(({ route, starts: [entry, ...splits], parts }): [string, PageScripts] => {
        // The entry starts the app, so it comes after the route, which may import it.
        const index = filesOf([entry!]).at(-1)!
        const files = [...filesOf([entry!, ...splits]).filter((file) => file !== index), index]
        const memberFiles = filesOf(parts).filter((file) => !files.includes(file))
        return [route, { files, memberFiles, isMembers: isMembers(route) }]
      })
      this.emitFile({
        type: 'asset',
        fileName: '.vite/pages.json',
        source: JSON.stringify(Object.fromEntries(scripts)),
      })
    },
  }
  return { chunkOf: (id: string) => plan.get(id) ?? null, plugin }
}
