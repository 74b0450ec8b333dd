import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isPassiveKind } from '#checks/index.ts'
import { rights } from '#control-plane/db/rights.ts'

const mayImport: Record<string, readonly string[]> = {
  contract: [],
  charts: [],
  bounded: ['contract'],
  locales: ['contract'],
  egress: ['contract'],
  checks: ['contract', 'bounded', 'egress'],
  importers: ['contract', 'bounded', 'egress', 'checks'],
  'probe-agent': ['contract', 'bounded', 'egress', 'checks'],
  'server-agent': ['contract'],
  analytics: ['contract', 'checks'],
  'control-plane': ['contract', 'locales', 'bounded', 'charts', 'egress', 'checks', 'importers', 'analytics'],
  workflows: ['contract', 'checks', 'analytics', 'control-plane'],
}
/** The folders of the control plane, in the order in which they may import each other. */
const folders = [
  'base',
  'db',
  'outbox',
  'http',
  'tenancy',
  'identity',
  'access',
  'engine',
  'monitoring',
  'passive',
  'backtests',
  'alerting',
  'publishing',
  'billing',
  'importing',
  'reselling',
  'platform',
]

const sources = async (pattern: string) => {
  const files: { file: string; text: string }[] = []
  for await (const file of glob(pattern)) files.push({ file, text: await readFile(file, 'utf8') })
  return files
}
const imported = (text: string) =>
  [...text.matchAll(/from '(#[^']+)'|import\('(#[^']+)'\)/g)].map(match => match[1] ?? match[2]!)

for (const [module, allowed] of Object.entries(mayImport))
  test(`${module} imports only ${allowed.join(', ') || 'itself'}`, async () => {
    const files = await sources(`${module}/**/*.ts`)
    expect(files.length).toBeGreaterThan(0)
    for (const { file, text } of files) {
      expect(text, `${file}: cross a folder with #, never with ../`).not.toMatch(/from '\.\.\//)
      for (const path of imported(text))
        expect([module, ...allowed], `${file} may not import ${path}`).toContain(path.slice(1).split('/')[0])
    }
  })

test('imports inside the control plane go one way', async () => {
  for (const { file, text } of await sources('control-plane/*/**/*.ts')) {
    const folder = file.split('/')[1]!
    if (!folders.includes(folder)) continue
    for (const path of imported(text)) {
      const [module, other] = path.slice(1).split('/')
      if (module !== 'control-plane' || !other || !folders.includes(other)) continue
      expect(folders.indexOf(other), `${file} may not import ${path}`).toBeLessThanOrEqual(folders.indexOf(folder))
    }
  }
})

test('no files import each other in a circle, not even types', async () => {
  const all = await sources(`{${Object.keys(mayImport).join()},cli}/**/*.ts`)
  const unsorted = new Map(
    all.map(({ file, text }) => [
      file,
      [...text.matchAll(/(?:from |import\()'([#.][^']+)'/g)].map(([, path = '']) =>
        path.startsWith('#') ? path.slice(1) : join(dirname(file), path),
      ),
    ]),
  )
  // what imports nothing that is left is in no circle
  for (let before = 0; before !== unsorted.size; ) {
    before = unsorted.size
    for (const [file, paths] of unsorted) if (!paths.some(path => unsorted.has(path))) unsorted.delete(file)
  }
  expect([...unsorted.keys()], 'these files are in a circle, or import one that is').toEqual([])
})

test('only the agent imports the probes', async () => {
  for (const { file, text } of await sources('{analytics,control-plane,workflows,cli,contract}/**/*.ts'))
    expect(
      imported(text).filter(path => path.endsWith('checks/probes.ts') || path.endsWith('/probe.ts')),
      file,
    ).toEqual([])
})

test('the environment is read in config files and by the composition root alone', async () => {
  for (const { file, text } of await sources(
    '{contract,locales,bounded,charts,egress,importers,checks,probe-agent,server-agent,analytics,control-plane,workflows}/**/*.ts',
  )) {
    if (file.endsWith('config.ts') || file === 'probe-agent/program.ts') continue
    expect(text, `${file} reads the environment`).not.toMatch(/process\.env/)
  }
})

test('every check folder is listed', async () => {
  const index = await readFile('checks/index.ts', 'utf8')
  const probes = await readFile('checks/probes.ts', 'utf8')
  for await (const file of glob('checks/*/kind.ts')) {
    const kind = file.split('/')[1]!
    expect(index, `${kind} is not in checks/index.ts`).toContain(`./${kind}/kind.ts`)
    if (isPassiveKind(kind)) continue
    expect(probes, `${kind} is not in checks/probes.ts`).toContain(`./${kind}/probe.ts`)
  }
})

const ownerOf = new Map<string, string>(Object.entries(rights).map(([table, { module }]) => [table, module]))

/**
 * How many files of a module name, in SQL, tables of a module that it may not import. Each is a place where a module
 * knows the columns of one above it. The numbers may only fall.
 */
const left = {
  'base → tenancy': 1,
  'http → tenancy': 1,
  'http → identity': 1,
  'tenancy → identity': 1,
  'tenancy → engine': 2,
  'tenancy → passive': 1,
  'tenancy → alerting': 1,
  'tenancy → publishing': 3,
  'access → alerting': 2,
  'engine → alerting': 2,
  'monitoring → alerting': 3,
  'monitoring → publishing': 3,
}

const statement = /\b(?:from|join|into|update|using)\s+(?:only\s+)?([a-z_]+)\b/gi
const built = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|from|using|\w+Join\w*)\(\s*\[?\s*'([a-z_]+)[ ']/g
const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^import [\s\S]*? from '.*'$/gm

test('each table has an owner among the folders', () => {
  expect(folders).toEqual(expect.arrayContaining([...new Set(ownerOf.values())]))
})

test('no more files than before reach the tables of a module above theirs', async () => {
  const found: { pair: string; file: string }[] = []
  for (const { file, text } of await sources('control-plane/*/**/*.ts')) {
    const module = file.split('/')[1]!
    if (module === 'db' || !folders.includes(module)) continue
    const plain = text.replace(comments, '')
    const tables = [...plain.matchAll(statement), ...plain.matchAll(built)].map(match => match[1]!)
    for (const owner of new Set(tables.flatMap(table => ownerOf.get(table) ?? [])))
      if (folders.indexOf(owner) > folders.indexOf(module)) found.push({ pair: `${module} → ${owner}`, file })
  }
  const byPair = Object.entries(Object.groupBy(found, ({ pair }) => pair))
  const counts = Object.fromEntries(byPair.map(([pair, files = []]) => [pair, files.length]))
  expect(counts, JSON.stringify(found)).toEqual(left)
  expect(new Set(found.map(({ file }) => file)).size).toBeLessThanOrEqual(17)
})
