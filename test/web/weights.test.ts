import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildWeb } from '#cli/local/web.ts'

/**
 * What a page loads, by the manifest of the build: bytes of scripts and styles compressed by Brotli, with the words of
 * the heavier language.
 */
interface Chunk {
  file: string
  css?: string[]
  /** Chunks that are loaded with it. */
  imports?: string[]
  /** Chunks that are loaded once something asks for them. */
  dynamicImports?: string[]
}
type Manifest = Record<string, Chunk>

interface Route {
  /** Of the page, below that of its parent. */
  path: string
  parent: string | null
  /** The key of its chunk in the manifest; null where it only has pages below it. */
  component: string | null
  /** Areas of words that are loaded with it. */
  words: string[]
}

const languages = ['en', 'de'] as const
const limits = { firstScript: 190_000, firstStyle: 15_000, area: 60_000, opened: 65_000 } as const

/** The routes of one file, as it is written: a name, or a place in the list, for each. */
function routesOf(file: string): [string, Route][] {
  const source = readFileSync(file, 'utf8')
  const folder = dirname(file).replace(/^web\//, '')
  const wordsIn = (text: string) =>
    [...(/loadAreaWords\(([^)]*)\)/.exec(text)?.[1] ?? '').matchAll(/'([\w-]+)'/g)].map(([, name]) => name!)
  const shared = new Map(
    [...source.matchAll(/^const (\w+) = \(\) => (loadAreaWords\([^)]*\))/gm)].map(([, name, call]) => [
      name!,
      wordsIn(call!),
    ]),
  )
  const blocks = [...source.matchAll(/(?:const (\w+) = )?createRoute\(\{/g)]
  return blocks.flatMap(({ 1: name, index }, at): [string, Route][] => {
    const block = source.slice(index, blocks[at + 1]?.index)
    const component = /import\('(\.\.?\/[^']+)'\)/.exec(block)?.[1]
    const loader = /loader(?:: (\w+))?,/.exec(block)
    const parent = /getParentRoute: \(\) => (\w+)/.exec(block)?.[1] ?? 'rootRoute'
    const route: Route = {
      path: /path: '([^']*)'/.exec(block)?.[1] ?? '',
      parent: parent === 'rootRoute' || parent === 'appRoute' ? null : `${folder}:${parent}`,
      component: component === undefined ? null : join(folder, component),
      words: shared.get(loader?.[1] ?? (loader ? 'loader' : '')) ?? wordsIn(block),
    }
    return [[`${folder}:${name ?? at}`, route]]
  })
}

const files = globSync('web/*/routes.ts').sort()
const routes = new Map(files.flatMap(routesOf))
const pages = [...routes.values()].flatMap(route => (route.component ? [{ ...route, component: route.component }] : []))

let folder = ''
let manifest: Manifest = {}
/** The chunks that the document names. */
let entries: string[] = []
beforeAll(async () => {
  folder = (await buildWeb()).folder
  manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')) as Manifest
  const document = readFileSync(join(folder, 'index.html'), 'utf8')
  entries = Object.keys(manifest).filter(key => document.includes(`src="/web/${chunk(key).file}"`))
}, 120_000)

const chunk = (key: string): Chunk => {
  const known = manifest[key]
  if (!known) throw new Error(`The build has no chunk ${key}.`)
  return known
}

/** The files of chunks, and of those that are loaded with them. */
function loadedBy(keys: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    for (const each of chunk(key).imports ?? []) visit(each)
  }
  for (const key of keys) visit(key)
  return new Set([...seen].flatMap(key => [chunk(key).file, ...(chunk(key).css ?? [])]))
}

const bytesOf = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + statSync(join(folder, `${name}.br`)).size, 0)
const wordsOf = (areas: readonly string[], language: string) =>
  areas.map(area => `../locales/${language}/app/${area}.json`)
const without = (names: Set<string>, known: Set<string>) => [...names].filter(name => !known.has(name))

/** Charts are loaded after the first page, while nothing else is to be done: they count to the first load. */
const charts = '../charts/line.ts'
const firstLoad = (language: string) => {
  const words = ['shell', 'parts', ...routes.get('overview:0')!.words]
  return loadedBy([...entries, 'overview/overview.tsx', charts, ...wordsOf(words, language)])
}

/** The route with those above it. */
const chainOf = (route: Route): Route[] => [...(route.parent ? chainOf(routes.get(route.parent)!) : []), route]

/** Bytes that a page loads beyond the first load; of `later` too, if that is given. */
function moreOf(route: Route, later: readonly string[] = []): number {
  const chain = chainOf(route)
  const components = [...chain.flatMap(({ component }) => component ?? []), ...later]
  const words = [...new Set(chain.flatMap(each => each.words))]
  return Math.max(
    ...languages.map(language =>
      bytesOf(without(loadedBy([...components, ...wordsOf(words, language)]), firstLoad(language))),
    ),
  )
}

describe('the weight of the app', () => {
  test('every page of every area is weighed', () => {
    const written = files.flatMap(file => readFileSync(file, 'utf8').match(/lazyPage\(\(\) =>/g) ?? [])
    expect(pages).toHaveLength(written.length)
    expect(pages.length).toBeGreaterThan(50)
    expect(pages.filter(({ component }) => !manifest[component])).toEqual([])
    expect(pages.filter(page => chainOf(page).every(({ words }) => words.length === 0))).toEqual([])
    expect(entries.flatMap(key => chunk(key).dynamicImports ?? [])).toContain(charts)
  })

  test.each(languages)('the first load has at most 190 kB of script and 15 kB of style in %s', language => {
    const names = [...firstLoad(language)]
    const [script, style] = ['.js', '.css'].map(ending => bytesOf(names.filter(name => name.endsWith(ending))))
    console.log(`first load in ${language}: ${script} bytes of script, ${style} of style`)
    expect(script).toBeGreaterThan(50_000)
    expect(script).toBeLessThanOrEqual(limits.firstScript)
    expect(style).toBeGreaterThan(500)
    expect(style).toBeLessThanOrEqual(limits.firstStyle)
  })

  test('each page loads at most 60 kB more', () => {
    const weights = pages.map(page => ({ page: page.component, bytes: moreOf(page) }))
    const heaviest = weights.sort((a, b) => b.bytes - a.bytes)[0]!
    console.log(`heaviest page: ${heaviest.page}, ${heaviest.bytes} bytes beyond the first load`)
    expect(weights.filter(({ bytes }) => bytes > limits.area)).toEqual([])
  })

  test('a page and any one part that it loads later, such as a dialog, have at most 65 kB more', () => {
    const weights = pages.flatMap(page =>
      (chunk(page.component).dynamicImports ?? []).map(part => ({
        ...{ page: page.component, part },
        bytes: moreOf(page, [part]),
      })),
    )
    expect(weights.length).toBeGreaterThan(5)
    expect(weights.filter(({ bytes }) => bytes > limits.opened)).toEqual([])
  })
})
