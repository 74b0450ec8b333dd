// Plain JavaScript without a dependency: cli/vedette.js, which any Node from 20 on runs, uses it as well.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is bundled, and what names the versions of the packages in it. A change of any of it makes another folder. */
const sources = [
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
  'package-lock.json',
]

/**
 * The folder of the bundled program of a checkout, whether it exists or not. It is two folders below the root, where
 * the packages are found that are not part of the bundle.
 */
export function programFolder(root) {
  const hash = createHash('sha256')
  for (const source of sources)
    for (const file of filesOf(root, source)) hash.update(file).update(readFileSync(join(root, file)))
  return join(root, '.cache', `program-${hash.digest('hex').slice(0, 16)}`)
}

function filesOf(root, path) {
  if (path.endsWith('.json')) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const inner = `${path}/${entry.name}`
      if (entry.isDirectory()) return filesOf(root, inner)
      return /\.(ts|js|json)$/.test(entry.name) && inner !== 'contract/openapi.json' ? [inner] : []
    })
}
