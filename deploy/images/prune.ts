import { globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Leaves in `node_modules` what the commands of the service load, and removes the rest: packages that only the app's
 * build needs, native parts of other platforms, source maps and type declarations. It runs in the image that is built
 * and never in a checkout.
 *
 *   node deploy/images/prune.ts FOLDER
 */

interface Locked {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('node deploy/images/prune.ts FOLDER')

const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}
const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }

/** The folders that run in the image; `web` is there as the built app only. */
const folders = [
  'analytics',
  'bounded',
  'charts',
  'checks',
  'cli',
  'contract',
  'control-plane',
  'egress',
  'importers',
  'locales',
  'probe-agent',
  'server-agent',
  'workflows',
]
const asked =
  /(?:from |import\(|import |require\(|resolve\(|import\.meta\.url\)\()\s*'(@[\w.-]+\/[\w.-]+|[a-z][\w.-]*)(?:\/[^']*)?'/g

/** What the sources import, by package. */
const imported = new Set<string>()
for (const file of globSync(`{${folders.join(',')}}/**/*.{ts,js}`, { cwd: folder }))
  for (const [, name = ''] of readFileSync(join(folder, file), 'utf8').matchAll(asked))
    if (name in manifest.dependencies) imported.add(name)
// the program that builds the app runs before this, and the package `node` is for machines without an image
for (const name of ['node', 'vite']) imported.delete(name)

/** The path in the lock file of a package as another one finds it. */
function find(name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (lock.packages[path]) return path
    if (at === '' || !at.includes('/node_modules/')) return at === '' ? undefined : find(name, '')
  }
}

const kept = new Set<string>()
const open = [...imported].map(name => find(name, '') ?? '')
for (let path = open.pop(); path !== undefined; path = open.pop()) {
  const locked = lock.packages[path]
  if (!locked || kept.has(path)) continue
  kept.add(path)
  const peers = Object.keys(locked.peerDependencies ?? {}).filter(
    name => !locked.peerDependenciesMeta?.[name]?.optional,
  )
  for (const name of [...Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }), ...peers])
    open.push(find(name, path) ?? '')
}

for (const path of Object.keys(lock.packages))
  if (path.startsWith('node_modules/') && !kept.has(path)) rmSync(join(folder, path), { recursive: true, force: true })

/** Temporal brings its native part for five platforms. */
const native = join(folder, 'node_modules', '@temporalio', 'core-bridge', 'releases')
const platform = { x64: 'x86_64', arm64: 'aarch64' }[process.arch as 'x64' | 'arm64']
for (const release of readdirSync(native))
  if (!release.startsWith(`${platform}-unknown-linux`)) rmSync(join(native, release), { recursive: true })

for (const file of globSync('node_modules/**/*.{map,d.ts,d.mts,d.cts,md}', { cwd: folder }))
  rmSync(join(folder, file), { recursive: true, force: true })
for (const file of ['.bin', '.cache', '.package-lock.json'])
  rmSync(join(folder, 'node_modules', file), { recursive: true, force: true })
console.log(`${kept.size} packages kept, for ${imported.size} that the sources import`)
