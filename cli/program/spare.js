// Plain JavaScript without a dependency: cli/vedette.js, which any Node from 20 on runs, uses it as well.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folders of Temporal's native part, by platform and processor as Node names them. */
const bridges = {
  'darwin-arm64': 'aarch64-apple-darwin',
  'darwin-x64': 'x86_64-apple-darwin',
  'linux-arm64': 'aarch64-unknown-linux-gnu',
  'linux-x64': 'x86_64-unknown-linux-gnu',
  'win32-x64': 'x86_64-pc-windows-msvc',
}

const list = folder => (existsSync(folder) ? readdirSync(folder) : [])

/**
 * Deletes from installed packages what no process here reads, 350 MB: Temporal's native part for other platforms, its
 * Rust sources, the headers of Node; and without the development set the compiler, which npm installs as a peer that
 * others may use, type declarations and source maps. `npm ci` brings all of it back.
 */
export function spareDisk(root, { keepsDevelopmentSet }) {
  const modules = join(root, 'node_modules')
  const core = join(modules, '@temporalio', 'core-bridge')
  const own = bridges[`${process.platform}-${process.arch}`]
  const unused = [
    ...(own ? list(join(core, 'releases')).filter(name => name !== own) : []).map(name => join(core, 'releases', name)),
    join(core, 'sdk-core'),
    ...list(join(modules, 'node', 'node_modules'))
      .filter(name => /^node-(bin-)?(linux|darwin|win)/.test(name))
      .map(name => join(modules, 'node', 'node_modules', name, 'include')),
  ]
  for (const path of unused) rmSync(path, { recursive: true, force: true })
  if (keepsDevelopmentSet) return
  forget(modules, ['node_modules/typescript', 'node_modules/@typescript/'])
  deleteUnread(modules)
}

/** Deletes packages, also from npm's list of what is installed, so that a later command sees them missing. */
function forget(modules, paths) {
  const file = join(modules, '.package-lock.json')
  const installed = JSON.parse(readFileSync(file, 'utf8'))
  const isForgotten = path => paths.some(each => path === each || (each.endsWith('/') && path.startsWith(each)))
  const kept = Object.entries(installed.packages).filter(([path]) => !isForgotten(path))
  writeFileSync(file, `${JSON.stringify({ ...installed, packages: Object.fromEntries(kept) }, null, 2)}\n`)
  for (const path of paths) rmSync(join(modules, path.replace('node_modules/', '')), { recursive: true, force: true })
}

function deleteUnread(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) deleteUnread(path)
    else if (entry.isFile() && /\.(map|d\.[cm]?ts)$/.test(entry.name)) rmSync(path)
  }
}
